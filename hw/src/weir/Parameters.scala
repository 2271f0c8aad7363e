// SPDX-License-Identifier: Apache-2.0
package weir

import org.json4s.native.JsonMethods.{pretty, render}
import org.json4s.{JBool, JInt, JNothing, JObject, JString, JValue}
import weir.config.WeirConfig
import weir.device.Parts

/** All parameters of a config as JSON, for whatever builds a system around the controller: every field of [[weir.config.WeirConfig]] and
  * of the case classes in it under its Scala name, those without a value left out, and what is derived from them under
  * `derived`: there `refreshIntervalPs` is the part's own tREFI, which `timing.tREFI` clocks must not exceed.
  */
object Parameters {
  def json(config: WeirConfig): String = {
    val JObject(fields) = value(config): @unchecked
    val geometry        = config.geometry
    val derived         = JObject(
      "banks"             -> JInt(geometry.banks),
      "bankBits"          -> JInt(geometry.bankBits),
      "pseudoRanks"       -> JInt(geometry.pseudoRanks),
      "chipSelects"       -> JInt(geometry.electrical.ranks),
      "bankPins"          -> JInt(geometry.electrical.bankBits),
      "addressPins"       -> JInt(geometry.addressPins),
      "lineBytes"         -> JInt(geometry.lineBytes),
      "memoryBytes"       -> JInt(config.memoryBytes),
      "sources"           -> JInt(config.axi.sources),
      "interrupt"         -> JBool(RegisterRooms.map(config).interrupts.nonEmpty),
      "refreshIntervalPs" -> JInt(refreshInterval(config))
    )
    pretty(render(JObject(fields :+ ("derived" -> derived)))) + "\n"
  }

  private def refreshInterval(config: WeirConfig): BigInt =
    Parts.all
      .get(config.part)
      .fold(BigInt(config.timing.tREFI) * config.timing.tCKps)(part =>
        (part.refreshInterval(config.sameBankRefresh).nanoseconds * 1000).toBigInt
      )

  private def value(any: Any): JValue = any match {
    case number: Int      => JInt(number)
    case number: BigInt   => JInt(number)
    case flag: Boolean    => JBool(flag)
    case text: String     => JString(text)
    case None             => JNothing
    case Some(inner)      => value(inner)
    case product: Product =>
      JObject(product.productElementNames.zip(product.productIterator.map(value)).toList)
  }
}
