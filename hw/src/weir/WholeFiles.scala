// SPDX-License-Identifier: Apache-2.0
package weir

import java.nio.file.StandardCopyOption.{ATOMIC_MOVE, REPLACE_EXISTING}
import java.nio.file.{Files, Path}

/** Files that a reader finds whole, or as they were: each is written beside its place and renamed. */
private object WholeFiles {

  /** Writes the texts into files of `folder`, by their names, and makes the folder if it is missing. None takes its place
    * before all are written: an IOException, of a full disk too, leaves every file as it was and nothing beside.
    */
  def write(folder: Path, texts: Seq[(String, String)]): Unit = {
    Files.createDirectories(folder)
    val mine   = ProcessHandle.current.pid
    val places = texts.map { case (name, text) => (folder.resolve(s".$name.$mine"), folder.resolve(name), text) }
    try {
      for ((beside, _, text) <- places) Files.writeString(beside, text)
      for ((beside, place, _) <- places) Files.move(beside, place, ATOMIC_MOVE, REPLACE_EXISTING)
    } finally for ((beside, _, _) <- places) Files.deleteIfExists(beside)
  }
}
