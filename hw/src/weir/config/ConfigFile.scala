// SPDX-License-Identifier: Apache-2.0
package weir.config

import org.json4s.native.JsonMethods.parse
import org.json4s.{DefaultFormats, Formats, JBool, JInt, JNothing, JObject, JString, JValue}

/** A config of a user's own, from JSON whose names are those of `Weir.json`: what is not given keeps its default.
  *
  * {{{
  * {"name": "mine", "part": "MT41K256M16-125", "tCKps": 6666, "ranks": 1, "dqBits": 16, "phy": "ecp5",
  *  "axi": {"dataBits": 128}, "policies": {"readQueue": 8}, "observation": {"level": "none"}, "placement": {}}
  * }}}
  *
  * `name`, `part`, `tCKps` (the DRAM clock's period in picoseconds), `ranks` (4 at most), `dqBits` and `phy` (one of
  * [[phys]]) must be given; the objects hold fields of [[Axi]], [[Policies]], [[Observation]] and [[Placement]].
  */
object ConfigFile {

  /** The text is no config; the message names the value, what is allowed and the place. */
  class Wrong(message: String) extends Exception(message)

  /** PHYs by the name under which a config asks for them. */
  val phys: Map[String, Timing => Phy] =
    Map("ecp5" -> (Phys.ecp5(_)), "series7" -> (Phys.series7(_)), "ultrascale" -> (Phys.ultraScale(_)))

  /** The config that `text` describes; `Wrong` where it describes none. */
  def config(text: String): WeirConfig = {
    val all =
      try parse(text)
      catch { case error: Exception => throw new Wrong(s"no JSON: ${error.getMessage.linesIterator.next()}") }
    val known = Seq("name", "part", "tCKps", "ranks", "dqBits", "phy", "axi", "policies", "observation", "placement")
    val given = fields(all, "the config")
    for (key <- given.keys if !known.contains(key)) throw new Wrong(s"$key: is no field; known are ${known.mkString(", ")}")

    def string(key: String) = given.get(key) match {
      case Some(JString(value)) => value
      case other                => throw new Wrong(s"$key = ${shown(other)}: must be a text")
    }
    def int(key: String) = given.get(key) match {
      case Some(JInt(value)) if value.isValidInt => value.toInt
      case other                                 => throw new Wrong(s"$key = ${shown(other)}: must be a whole number")
    }
    def section[T <: Product: Manifest](key: String, default: T): T =
      merged(key, default, given.getOrElse(key, JObject()))

    val name = string("name")
    if (!name.matches("[A-Za-z][A-Za-z0-9_-]*"))
      throw new Wrong(s"name = $name: must begin with a letter and hold letters, digits, - and _ only")
    val phy = string("phy")
    try {
      val part   = Parts(string("part"))
      val timing = part.timing(int("tCKps"))
      WeirConfig(
        name,
        part.name,
        part.geometry(int("ranks"), int("dqBits")),
        timing,
        phys.getOrElse(phy, throw new Wrong(s"phy = $phy: must be one of ${phys.keys.mkString(", ")}"))(timing),
        section("axi", Axi(ports = 1, dataBits = 128, idBits = 4)),
        section("policies", Policies()),
        section("observation", Observation()),
        placement = section("placement", Placement())
      )
    } catch {
      case error: IllegalArgumentException => throw new Wrong(error.getMessage.stripPrefix("requirement failed: "))
    }
  }

  private implicit val formats: Formats = DefaultFormats

  private def fields(value: JValue, place: String): Map[String, JValue] = value match {
    case JObject(found) => found.toMap
    case other          => throw new Wrong(s"$place = ${shown(Some(other))}: must be an object")
  }

  /** `default` with the fields that `given` has in their place. */
  private def merged[T <: Product: Manifest](place: String, default: T, given: JValue): T = {
    val was = Parameters.value(default)
    checkFields(place, was, given)
    try was.merge(given).extract[T]
    catch {
      case error: org.json4s.MappingException =>
        throw Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).toSeq.reverse.collectFirst {
          case cause: IllegalArgumentException => cause
        }.getOrElse(new Wrong(s"$place: ${error.getMessage.linesIterator.mkString(" ")}"))
    }
  }

  /** Every field of `given` is one of `was`, and of its type. */
  private def checkFields(place: String, was: JValue, given: JValue): Unit = {
    val known = fields(was, place)
    for ((key, value) <- fields(given, place)) (known.getOrElse(key, JNothing), value) match {
      case (JNothing, _)                                       =>
        throw new Wrong(s"$place.$key: is no field; known are ${known.keys.mkString(", ")}")
      case (JInt(_), JInt(_)) | (JBool(_), JBool(_)) | (JString(_), JString(_)) =>
      case (inner: JObject, _)                                 => checkFields(s"$place.$key", inner, value)
      case (JInt(_), _)                                        =>
        throw new Wrong(s"$place.$key = ${shown(Some(value))}: must be a whole number")
      case (JBool(_), _)                                       =>
        throw new Wrong(s"$place.$key = ${shown(Some(value))}: must be true or false")
      case _                                                   =>
        throw new Wrong(s"$place.$key = ${shown(Some(value))}: must be a text")
    }
  }

  private def shown(value: Option[JValue]): String = value match {
    case None                => "(nothing)"
    case Some(JString(text)) => text
    case Some(other)         => org.json4s.native.JsonMethods.compact(org.json4s.native.JsonMethods.render(other))
  }
}
