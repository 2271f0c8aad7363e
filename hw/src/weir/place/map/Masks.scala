// SPDX-License-Identifier: Apache-2.0
package weir.place.map

/** An address map as masks, the form that all maps have in common: each bit of channel, rank and bank is the parity (XOR) of
  * the bits of the line's number that its mask chooses.
  *
  * The rest follows. Each of these bits has one bit of the line's number of its own, the lowest of its mask once the
  * masks have been reduced against each other, so that no two have the same; the bits that are nobody's own are column
  * and row, each alone and in their order, the column lowest. So the map is one to one exactly if no mask is the XOR of
  * others.
  *
  * @param channel,rank,bank a mask for each bit, lowest bit first
  * @param columnBits        bits of the column, in lines
  * @param lineBits          bits of a line's number
  */
case class Masks(channel: Seq[BigInt], rank: Seq[BigInt], bank: Seq[BigInt], columnBits: Int, lineBits: Int) {

  /** The masks that choose a channel, a rank and a bank. */
  val chosen: Seq[BigInt] = channel ++ rank ++ bank

  /** Bits of the line's number that are column and row, lowest first. */
  val plain: Seq[Int] = {
    val own = Masks.ownBits(chosen)
    require(
      own.size == chosen.size,
      s"Masks: a mask is the XOR of others: ${chosen.map(_.toString(16)).mkString(", ")}"
    )
    (0 until lineBits).filterNot(own)
  }

  def column: Seq[BigInt] = plain.take(columnBits).map(Masks.bit)
  def row: Seq[BigInt]    = plain.drop(columnBits).map(Masks.bit)
}

object Masks {
  private def bit(position: Int): BigInt = BigInt(1) << position

  /** The map that takes a line's number apart into fields.
    *
    * @param order what each bit of the line's number is a bit of, lowest first
    */
  def apply(order: Seq[Part]): Masks = {
    def of(part: Part): Seq[BigInt] = order.zipWithIndex.collect { case (`part`, position) => bit(position) }
    Masks(of(Part.Channel), of(Part.Rank), of(Part.Bank), order.count(_ == Part.Column), order.size)
  }

  /** The lowest bits of the masks, each reduced by those before it; fewer than masks if they depend on each other. */
  private def ownBits(masks: Seq[BigInt]): Set[Int] =
    masks
      .foldLeft(Map.empty[Int, BigInt]) { (reduced, mask) =>
        val rest = reduced.toSeq.sortBy(_._1).foldLeft(mask) { case (rest, (own, other)) =>
          if (rest.testBit(own)) rest ^ other else rest
        }
        if (rest == 0) reduced else reduced + (rest.lowestSetBit -> rest)
      }
      .keySet
}
