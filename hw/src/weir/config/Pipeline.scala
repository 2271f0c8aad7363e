// SPDX-License-Identifier: Apache-2.0
package weir.config

/** The registers on the way of a read from AXI to the DFI and back, beside the command register that every config has. Each
  * cuts a long path, for a higher clock, and costs latency; all that depends on how long the way is follows from here.
  *
  * @param request AW, W and AR go through a register first, for masters that are late in their clock with them
  * @param burst   between a burst and its first line
  * @param place   between the address map and the channel
  * @param arrival between the lookup among the queued writes and the queues; it takes a line in every second cycle
  * @param entry   a queued access counts among those that want a command
  * @param command between a chosen command and the DFI
  * @param answer  a line that was read goes into its memory before it goes out
  */
case class Pipeline(
    request: Boolean = false,
    burst: Boolean = false,
    place: Boolean = false,
    arrival: Boolean = false,
    entry: Boolean = false,
    command: Boolean = false,
    answer: Boolean = false
) {

  /** Controller cycles from the handshake of AR to the read command on the DFI, of an open row on an idle controller. */
  val requestToCommand: Int = 1 + Seq(request, burst, place, arrival, entry, command).count(identity)

  /** Controller cycles from `rddata_valid` to the first beat of R. */
  val dataToAnswer: Int = if (answer) 2 else 1
}

object Pipeline {

  /** A register at each step behind the AXI port. */
  val deep: Pipeline =
    Pipeline(burst = true, place = true, arrival = true, entry = true, command = true, answer = true)
}
