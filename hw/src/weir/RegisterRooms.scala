// SPDX-License-Identifier: Apache-2.0
package weir

import weir.channel.ChannelControl
import weir.config.WeirConfig
import weir.media.NvmControl
import weir.migrate.MoverPort
import weir.observe.CounterPort
import weir.place.map.MapPort
import weir.place.monitor.HotMonitorPort
import weir.place.remap.RemapPort
import weir.registers.RegisterBundle
import weir.regs.{Identity, RegisterMap}

/** The rooms of a config that have registers. A room with registers of its own gets a line here. */
object RegisterRooms {

  /** The name of each port, and what makes it. */
  def apply(config: WeirConfig): Seq[(String, () => RegisterBundle)] = Seq(
    "identity" -> (() => new Identity(config)),
    "control"  -> (() => new ChannelControl(config)),
    "counters" -> (() => new CounterPort(config)),
    "map"      -> (() => new MapPort(config))
  ) ++
    config.nvm.map(_ => "nvm" -> (() => new NvmControl(config))) ++
    config.hotMonitoring.map(_ => "hot" -> (() => new HotMonitorPort(config))) ++
    config.remapping.map(_ => "remap" -> (() => new RemapPort(config))) ++
    config.migration.map(_ => "mover" -> (() => new MoverPort(config)))

  /** The register map of a config. */
  def map(config: WeirConfig): RegisterMap = RegisterMap.of(apply(config).map { case (_, room) => room() })
}
