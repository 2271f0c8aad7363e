// SPDX-License-Identifier: Apache-2.0
package weir.regs

import weir.registers.{Access, Field, Register, RegisterBlock}

/** Writes the register map as SystemRDL 2.0 (Accellera), from which PeakRDL makes the C header, the Python model and the
  * HTML page. The ranges of fields are two properties of Weir's own, `weir_minimum` and `weir_maximum`, the relations
  * between fields a third, `weir_relations`, as [[weir.registers.Relation.text]] has them.
  */
object SystemRdl {

  /** The text of the whole file; `config` names the config in its descriptions. */
  def apply(map: RegisterMap, config: String): String = {
    val body      = map.registers.flatMap(register(_)) ++ map.blocks.flatMap(block)
    val relations = map.relations.map(relation => s"Always ${relation.text}: ${relation.reason}.")
    val rules = s"Registers of the memory controller Weir, config $config. A write that is refused is answered with " +
      "SLVERR, leaves everything as it was and is noted in the error register."
    val description = (rules +: relations).mkString(" ")
    (Seq(
      "// SPDX-License-Identifier: Apache-2.0",
      s"// Register map of the memory controller Weir, config $config. Written by hw.run: change the rooms instead.",
      "property weir_minimum { type = longint unsigned; component = field; };",
      "property weir_maximum { type = longint unsigned; component = field; };",
      "property weir_relations { type = string[]; component = addrmap; };",
      "",
      "addrmap weir {",
      "    name = \"Weir\";",
      s"    desc = ${quoted(description)};",
      s"    weir_relations = '{ ${map.relations.map(relation => quoted(relation.text)).mkString(", ")} };",
      "    default regwidth = 32;",
      "    default accesswidth = 32;",
      ""
    ) ++ body.map(indent) ++ Seq("};", "")).mkString("\n")
  }

  private def register(register: Register): Seq[String] =
    Seq("reg {", s"    name = ${quoted(register.name)};", s"    desc = ${quoted(register.description)};") ++
      register.fields.flatMap(field).map(indent) ++
      Seq(f"} ${register.name} @ 0x${register.offset}%03x;", "")

  private def field(field: Field): Seq[String] = {
    val access = field.access match {
      case Access.ReadOnly  => Seq("sw = r;", "hw = w;")
      case Access.ReadWrite =>
        Seq("sw = rw;", "hw = r;", s"weir_minimum = ${field.minimum};", s"weir_maximum = ${field.maximum};")
      case Access.Position        => Seq("sw = rw;", "hw = rw;")
      case Access.WriteOneToClear => Seq("sw = rw;", "hw = rw;", "onwrite = woclr;")
      case Access.Command         => Seq("sw = w;", "hw = r;", "singlepulse;")
    }
    val values   = field.names.map { case (name, value) => s"$name = ${field.bits}'d$value;" }
    val typeName = s"${field.name}_e"
    val enumType = Option.when(values.nonEmpty)(s"enum $typeName { ${values.mkString(" ")} };")
    val encoding = Option.when(values.nonEmpty)(s"encode = $typeName;")
    enumType.toSeq ++ Seq("field {", s"    desc = ${quoted(field.description)};") ++
      (access ++ encoding).map(indent) ++
      Seq(s"} ${field.name}[${field.high}:${field.low}] = ${field.reset};")
  }

  private def block(block: RegisterBlock): Seq[String] = {
    val array = block.dimensions.map(size => s"[$size]").mkString
    val step  = if (block.dimensions.isEmpty) "" else f" += 0x${block.stride}%x"
    Seq("regfile {", s"    name = ${quoted(block.name)};", s"    desc = ${quoted(block.description)};") ++
      block.registers.flatMap(register(_)).map(indent) ++
      Seq(f"} ${block.name}$array @ 0x${block.offset}%03x$step;", "")
  }

  private def indent(line: String): String = if (line.isEmpty) line else s"    $line"

  private def quoted(text: String): String = "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
}
