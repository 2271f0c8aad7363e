// SPDX-License-Identifier: Apache-2.0
package weir.config

import org.scalatest.funspec.AnyFunSpec

/** A config of a user's own is what its JSON says and the defaults beyond it; anything else is refused in a sentence. */
class ConfigFileSpec extends AnyFunSpec {
  private val required =
    """"name": "mine", "part": "MT41K256M16-125", "tCKps": 6666, "ranks": 1, "dqBits": 16, "phy": "ecp5""""

  private def config(more: String): WeirConfig = ConfigFile.config(s"{$required$more}")

  it("takes what is given, and defaults for the rest") {
    val found = config(
      """, "axi": {"dataBits": 64, "base": 2147483648}, "observation": {"level": "none"},
        "policies": {"readQueue": 8, "fastReads": false, "rowClosing": {"policy": "open"}}"""
    )
    val timing = Parts("MT41K256M16-125").timing(6666)
    assert(
      found == WeirConfig(
        "mine",
        "MT41K256M16-125",
        Parts("MT41K256M16-125").geometry(1, 16),
        timing,
        Phys.ecp5(timing),
        Axi(ports = 1, dataBits = 64, idBits = 4, base = BigInt("80000000", 16)),
        Policies(readQueue = 8, fastReads = false, rowClosing = RowClosing("open")),
        Observation("none")
      )
    )
  }

  private def refused(what: String, text: => String, parts: String*): Unit =
    it(s"refuses $what") {
      val message = intercept[ConfigFile.Wrong](ConfigFile.config(text)).getMessage
      for (part <- parts) assert(message.contains(part), s"'$message' does not say '$part'")
      assert(!message.contains("\n"), message)
    }

  private def given(more: String): String = s"{$required, $more}"

  refused("what is no JSON", "{", "no JSON")
  refused("a list", "[]", "the config = []", "must be an object")
  refused("an unknown field", given(""""color": 1"""), "color", "known are name, part")
  refused("a missing name", "{}", "name = (nothing)", "must be a text")
  refused("a name that is a path", s"{$required}".replace("mine", "../mine"), "name = ../mine", "letters")
  refused("a number as a name", s"{$required}".replace("\"mine\"", "7"), "name = 7", "must be a text")
  refused("an unknown part", s"{$required}".replace("MT41K256M16-125", "MT1"), "part MT1", "known are")
  refused("an unknown PHY", s"{$required}".replace("ecp5", "ecp6"), "phy = ecp6", "ecp5, series7, ultrascale")
  refused("a clock that is too fast", s"{$required}".replace("6666", "1000"), "1000 ps", "1250 ps")
  refused("a text as a clock", s"{$required}".replace("6666", "\"fast\""), "tCKps = fast", "whole number")
  refused("three ranks", s"{$required}".replace("\"ranks\": 1", "\"ranks\": 3"), "Geometry.ranks = 3", "power of two")
  refused("a section that is no object", given(""""axi": 3"""), "axi = 3", "must be an object")
  refused("an unknown field of a section", given(""""axi": {"bits": 3}"""), "axi.bits", "known are ports, dataBits")
  refused("a text for a number", given(""""axi": {"ports": "two"}"""), "axi.ports = two", "whole number")
  refused("a number for a flag", given(""""policies": {"fastReads": 1}"""), "policies.fastReads = 1", "true or false")
  refused("a number for a text", given(""""observation": {"level": 1}"""), "observation.level = 1", "a text")
  refused("too short a queue", given(""""policies": {"readQueue": 1}"""), "Policies.readQueue = 1", "2 to 64")
  refused(
    "a wrong value inside a section",
    given(""""policies": {"rowClosing": {"policy": "never"}}"""),
    "never"
  )
  refused("memory that does not fit", given(""""axi": {"addressBits": 28}"""), "do not fit in 28 address bits")
}
