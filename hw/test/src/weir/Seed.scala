// SPDX-License-Identifier: Apache-2.0
package weir

/** What the random tests begin with: the environment's `WEIR_SEED`, else 1, so that two runs of the same tree agree. Tests
  * print it.
  */
object Seed {
  private val name = "WEIR_SEED"

  val value: Int = sys.env.get(name).fold(1) { text =>
    text.toIntOption
      .filter(_ >= 0)
      .getOrElse(
        throw new IllegalArgumentException(s"$name=$text is not a number from 0 to ${Int.MaxValue}")
      )
  }
}
