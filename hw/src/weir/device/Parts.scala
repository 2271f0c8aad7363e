// SPDX-License-Identifier: Apache-2.0
package weir.device

/** All parts by name. */
object Parts {
  val all: Map[String, Part] =
    (Standard.all.flatMap(_.parts) ++ TableTwoParts.all).map(part => part.name -> part).toMap

  /** The part of that name; an error that lists all if there is none. */
  def apply(name: String): Part =
    all.getOrElse(
      name,
      throw new IllegalArgumentException(
        s"part $name is not in the table; known are ${all.keys.toSeq.sorted.mkString(", ")}"
      )
    )
}
