// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.isPow2

/** How pages are moved between DRAM and the NVM region.
  *
  * @param window lines of a page that are locked and copied together (a power of two, 2 to 16); they are in flight at
  * the same
  *               time, and an access to one of them waits until they have been copied
  */
case class Migration(window: Int = 4) {
  require(
    isPow2(window) && window >= 2 && window <= 16,
    s"Migration.window = $window: must be a power of two from 2 to 16"
  )
}
