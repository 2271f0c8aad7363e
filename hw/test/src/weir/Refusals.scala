// SPDX-License-Identifier: Apache-2.0
package weir

import org.scalatest.funspec.AnyFunSpec

/** Tests that something which cannot be built is refused with a sentence. */
trait Refusals { self: AnyFunSpec =>

  /** A test that `body` is refused, and that the sentence has each of `parts`. */
  protected def refused(what: String, parts: String*)(body: => Any): Unit =
    it(s"refuses $what") {
      val message = intercept[IllegalArgumentException](body).getMessage
      for (part <- parts) assert(message.contains(part), s"'$message' does not say '$part'")
    }
}
