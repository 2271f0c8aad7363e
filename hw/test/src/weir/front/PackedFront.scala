// SPDX-License-Identifier: Apache-2.0
package weir.front

import weir.Packed
import weir.config.WeirConfig

/** `Front` for a [[weir.PackedBench]]. */
class PackedFront(config: WeirConfig) extends Packed(new Front(config), (front: Front) => front.io)
