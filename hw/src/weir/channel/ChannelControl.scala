// SPDX-License-Identifier: Apache-2.0
package weir.channel

import weir.channel.drain.DrainControl
import weir.channel.refresh.{RefreshControl, RefreshPolicy}
import weir.channel.row.RowControl
import weir.config.WeirConfig
import weir.registers.RegisterBundle

/** What software may change of the channel while it runs. */
class ChannelControl(config: WeirConfig, refreshPolicies: Seq[RefreshPolicy] = RefreshPolicy.all)
    extends RegisterBundle {
  val timing    = new TimingControl(config)
  val draining  = new DrainControl(config)
  val rows      = new RowControl(config)
  val refresh   = new RefreshControl(config, refreshPolicies)
  val timeScale = Option.when(config.policies.timeScaling.isThere)(new TimeScaleControl(config))

  /** Controller cycles that the oldest access may be passed by younger ones. */
  val ageLimit = register("age_limit", 0x0c4, "Bound on reordering.").setting(
    "value",
    0,
    12,
    config.policies.ageLimit,
    16,
    4095,
    "Controller cycles that the oldest access may be passed by younger ones.",
    writable = config.policies.programmablePolicies
  )
}
