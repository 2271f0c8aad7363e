// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import chisel3.util._
import weir.config.{RegionPages, WeirConfig}
import weir.place.remap.{FrameRequest, FrameState, MoveWindow, RemapBits, RemapControl, RemapUpdate}

/** Carries out one command after the other, in steps each of which leaves what memory holds as readable as it was.
  *
  * A window of lines is locked, the accesses to it that are under way are waited for (`fence`), its lines are copied,
  * and with the next window's lock accesses to it go on at the destination; the rest of the page is open meanwhile.
  *
  *   - promote: the frame is taken; where pointers stand in a table, the page's entry is written, and is in memory,
  *     before the first access can go to the frame; the page is copied; where pointers stand in the homes, the page's
  *     is written over its home's first 8 bytes, which the frame holds by now; the bitmap's bit is set.
  *   - evict: the whole page is locked to see whether it is clean. A clean page's lines are not copied, but for the
  *     first 8 bytes where the pointer stands there. Of a dirty page the lines are copied that are dirty
  *     (`Remapping.dirtyLines`), or all. Where pointers stand in a table the page's entry is cleared once all that was
  *     written home is in memory, and the frame is free once the cleared entry is.
  *   - flush: each dirty page is noted as clean, the writes that are under way are waited for, and it is copied home,
  *     but for the first 8 bytes where the pointer stands there; it stays in its frame, and what is written to it
  *     meanwhile makes it dirty again. It ends when all writes that were accepted before are in memory, those straight
  *     to the region too. While remapping is disabled that is all of it.
  *
  * So a power cut in any cycle finds in NVM, where pointers stand in a table, every byte at least as new as NVM ever
  * held it, and of a page without a valid entry as new as any cell of memory held it. (Rainbow, sections III-D and
  * III-E, has the order of copying and the clean eviction; the entry that is written first and the waits for memory
  * are not from there.)
  */
class MoveSequence(config: WeirConfig) extends Module {
  private val bits   = new RemapBits(config)
  private val region = new RegionPages(config)
  private val window = config.migration.get.window
  private val lines  = config.remapping.get.dirtyLines

  val io = IO(new Bundle {
    val commands = Flipped(Decoupled(new MoveCommand(config)))
    val finished = Valid(MoveResult())
    val control  = Input(new RemapControl(config))

    /** Those of [[MovePort]]. */
    val window  = Output(new MoveWindow(config))
    val fence   = Output(Bool())
    val fenced  = Input(Bool())
    val updates = Decoupled(new RemapUpdate(config))
    val updated = Input(Bool())
    val frames  = Decoupled(new FrameRequest(config))
    val frame   = Input(new FrameState)

    val copy   = Decoupled(new CopyRequest(config))
    val copied = Input(Bool())

    val words    = Decoupled(new WordRequest(config))
    val wordDone = Input(Bool())
    val word     = Input(UInt(64.W))

    /** Marks all writes that are accepted; some of them are not in memory yet. */
    val mark    = Output(Bool())
    val pending = Input(Bool())
  })

  private object State extends ChiselEnum {
    val idle, judge, bitmap, bitmapAnswer, pointer, pointerAnswer, frame, frameAnswer, claim, lock, fence, line,
        lineAnswer, lineClean, copy, copying, point, pointing, mark, marked, update, updated, release, walk, finish =
      Value
  }
  import State._
  private val state   = RegInit(idle)
  private val command = Reg(new MoveCommand(config))
  private val result  = Reg(MoveResult())

  // the page that moves, or is written home, and its frame
  private val page  = Reg(UInt(bits.page.W))
  private val frame = Reg(UInt(bits.page.W))

  /** Accesses to the page look at the window; lines below `done` are copied, those below `lockedUntil` are locked. */
  private val active      = RegInit(false.B)
  private val done        = Reg(UInt((bits.line + 1).W))
  private val lockedUntil = Reg(UInt((bits.line + 1).W))

  // the window's first line, the line of it that is asked for, the lines of it that are to be copied
  private val base     = Reg(UInt((bits.line + 1).W))
  private val asked    = Reg(UInt(log2Ceil(window).W))
  private val toCopy   = Reg(UInt(window.W))
  private val clean    = Reg(Bool())
  private val after    = Reg(State())
  private val isTable  = io.control.table
  private val promotes = command.operation === MoveOperation.promote
  private val evicts   = command.operation === MoveOperation.evict
  private val flushes  = command.operation === MoveOperation.flush
  private val allLines = bits.lines.U
  private val index    = page - region.first.U

  private val walker = Module(new FlushWalker(config))
  walker.io.start      := false.B
  walker.io.bitmapBase := io.control.bitmapBase
  walker.io.word.valid := state === walk && io.wordDone
  walker.io.word.bits  := io.word
  walker.io.next.ready := state === walk

  io.commands.ready := state === idle
  io.finished.valid := state === finish
  io.finished.bits  := result

  io.window.active      := active
  io.window.page        := page
  io.window.frame       := frame
  io.window.toDram      := !evicts
  io.window.done        := done
  io.window.lockedUntil := lockedUntil
  io.fence              := state === State.fence

  io.updates.valid           := state === update
  io.updates.bits.page       := page
  io.updates.bits.redirected := promotes
  io.updates.bits.frame      := frame

  private val request = io.frames.bits
  io.frames.valid    := false.B
  request            := 0.U.asTypeOf(request)
  request.index      := (frame - io.control.frameBase)(bits.frame - 1, 0)
  request.line       := base(bits.line - 1, 0) | asked
  io.mark            := state === mark
  io.words.valid     := false.B
  io.words.bits      := 0.U.asTypeOf(io.words.bits)
  io.copy.valid      := false.B
  io.copy.bits.from  := Mux(promotes, page, frame)
  io.copy.bits.to    := Mux(promotes, frame, page)
  io.copy.bits.base  := base(bits.line - 1, 0)
  io.copy.bits.lines := toCopy
  io.copy.bits.first := Mux(
    promotes || isTable,
    FirstLine.whole,
    Mux(flushes, FirstLine.tail, Mux(clean, FirstLine.head, FirstLine.whole))
  )

  private def refuse(why: MoveResult.Type): Unit = {
    result := why
    state  := finish
  }
  private def go(next: State.Type): Unit = state := next

  /** Waits until all writes that are accepted are in memory, then goes on there. */
  private def written(next: State.Type): Unit = {
    after := next
    state := mark
  }

  /** Whether a frame is one of those that hold pages. */
  private def isFrame(number: UInt): Bool =
    number >= io.control.frameBase && number - io.control.frameBase < io.control.frameCount

  private val wordBits                             = io.words.bits.word.getWidth
  private def word(table: UInt, index: UInt): Unit = {
    io.words.valid     := true.B
    io.words.bits.page := table + (index >> wordBits)
    io.words.bits.word := index.pad(wordBits)(wordBits - 1, 0)
  }
  private def pointerWord(): Unit = {
    word(io.control.pointerBase, index)
    when(!isTable) {
      io.words.bits.page := page
      io.words.bits.word := 0.U
    }
  }

  /** The copies are done: what follows depends on the command. */
  private def allCopied(): Unit = {
    done        := allLines
    lockedUntil := allLines
    when(flushes) {
      active := false.B
      go(walk)
    }.elsewhen(promotes)(go(Mux(isTable, update, point))).elsewhen(isTable)(written(point)).otherwise(go(update))
  }

  /** The window from a line on, which is locked unless the page stays where it is. */
  private def openWindow(from: UInt): Unit = {
    base := from
    when(!flushes) {
      done        := from
      lockedUntil := from + window.U
    }
  }
  private def firstWindow(): Unit = {
    openWindow(0.U)
    active := true.B
    asked  := 0.U
  }

  /** The state of a line of the window is known; the next one's, or what follows. */
  private def nextLine(): Unit = {
    asked := asked + 1.U
    go(Mux(asked.andR, Mux(flushes, State.fence, copy), line))
  }

  switch(state) {
    is(idle) {
      when(io.commands.valid) {
        command := io.commands.bits
        page    := io.commands.bits.page
        frame   := io.commands.bits.frame
        clean   := false.B
        go(judge)
      }
    }
    is(judge) {
      val isOfTable = page >= io.control.pointerBase && page - io.control.pointerBase < region.pointerTable.U
      when(flushes) {
        result          := MoveResult.done
        walker.io.start := io.control.enable
        // without remapping no page lives in DRAM
        when(io.control.enable)(go(walk)).otherwise(written(finish))
      }.elsewhen(!io.control.enable)(refuse(MoveResult.disabled))
        .elsewhen(command.misaligned)(refuse(MoveResult.misaligned))
        .elsewhen(command.pageOutside || page < region.first.U || isTable && isOfTable)(
          refuse(MoveResult.outsideRegion)
        )
        .elsewhen(promotes && (command.frameOutside || !isFrame(frame)))(refuse(MoveResult.outsideFrames))
        .otherwise(go(bitmap))
    }

    // ---- Whether the page is there already, and where
    is(bitmap) {
      word(io.control.bitmapBase, index >> 6)
      when(io.words.ready)(go(bitmapAnswer))
    }
    is(bitmapAnswer) {
      when(io.wordDone) {
        val isInDram = io.word(index(5, 0))
        when(isInDram === promotes)(refuse(MoveResult.alreadyThere)).otherwise(go(Mux(promotes, State.frame, pointer)))
      }
    }
    is(pointer) {
      pointerWord()
      when(io.words.ready)(go(pointerAnswer))
    }
    is(pointerAnswer) {
      frame := io.word(bits.page - 1, 0)
      when(io.wordDone) {
        val isValid = io.word(63) && io.word(51, 0) < (BigInt(1) << bits.page).U && isFrame(io.word(bits.page - 1, 0))
        when(isValid)(go(State.frame))
          // a flush passes it over, as accesses do
          .elsewhen(flushes)(go(walk))
          .otherwise(refuse(MoveResult.badPointer))
      }
    }
    is(State.frame) {
      io.frames.valid := true.B
      when(io.frames.ready)(go(frameAnswer))
    }
    is(frameAnswer) {
      clean := !io.frame.dirty
      when(promotes) {
        when(io.frame.used)(refuse(MoveResult.frameInUse)).otherwise(go(claim))
      }.elsewhen(flushes) {
        go(Mux(io.frame.dirty, claim, walk))
      }.elsewhen(!active) {
        // evict: all of the page is locked, then its state is asked for again
        when(!io.frame.used)(refuse(MoveResult.badPointer)).otherwise {
          active      := true.B
          done        := 0.U
          lockedUntil := allLines
          after       := State.frame
          go(State.fence)
        }
      }.elsewhen(io.frame.dirty) {
        firstWindow()
        toCopy := Fill(window, true.B)
        go(if (lines) line else copy)
      }.otherwise {
        // all of it stays locked: it is to stay clean
        base   := 0.U
        toCopy := 1.U
        when(isTable)(allCopied()).otherwise(go(copy))
      }
    }

    // ---- The frame is taken by a promote, or clean from now on by a flush
    is(claim) {
      io.frames.valid    := true.B
      request.writeUsed  := true.B
      request.state.used := true.B
      request.writeDirty := true.B
      when(io.frames.ready) {
        when(promotes && isTable)(go(point)).otherwise(go(lock))
      }
    }

    // ---- Copying, a window at a time
    is(lock) {
      firstWindow()
      toCopy := Fill(window, true.B)
      when(flushes) {
        done        := allLines
        lockedUntil := allLines
      }
      after := (if (lines) Mux(flushes, copy, line) else copy)
      go(if (lines) Mux(flushes, line, State.fence) else State.fence)
    }
    is(State.fence) {
      when(io.fenced)(go(after))
    }
    // where single lines are noted as dirty: a promote clears them, an evict and a flush copy those that are
    is(line) {
      if (lines) {
        io.frames.valid   := true.B
        request.writeLine := promotes
        when(io.frames.ready) {
          when(promotes)(nextLine()).otherwise(go(lineAnswer))
        }
      }
    }
    is(lineAnswer) {
      if (lines) {
        // the pointer at a page's home is overwritten in any case
        val isPointer = evicts && !isTable && request.line === 0.U
        when(!io.frame.lineDirty && !isPointer)(toCopy := toCopy & ~UIntToOH(asked, window))
        when(flushes && io.frame.lineDirty)(go(lineClean)).otherwise(nextLine())
      }
    }
    // of a flush, as what is written before the fence is copied
    is(lineClean) {
      if (lines) {
        io.frames.valid   := true.B
        request.writeLine := true.B
        when(io.frames.ready)(nextLine())
      }
    }
    is(copy) {
      io.copy.valid := toCopy.orR
      when(io.copy.ready || !toCopy.orR)(go(copying))
    }
    is(copying) {
      when(io.copied || !toCopy.orR) {
        val next = base + window.U
        when(next === allLines || clean && evicts)(allCopied()).otherwise {
          openWindow(next)
          toCopy := Fill(window, true.B)
          asked  := 0.U
          after  := (if (lines) Mux(flushes, copy, line) else copy)
          // a page that stays where it is was waited for once
          go(if (lines) Mux(flushes, line, State.fence) else Mux(flushes, copy, State.fence))
        }
      }
    }

    // ---- The pointer in memory
    is(point) {
      pointerWord()
      io.words.bits.write := true.B
      io.words.bits.data  := Mux(promotes, true.B ## frame.pad(63), 0.U)
      when(io.words.ready)(go(pointing))
    }
    is(pointing) {
      // of a promote it is before the copies in the table, behind them at the page's home
      when(io.wordDone) {
        when(isTable)(written(Mux(promotes, lock, update))).otherwise(go(update))
      }
    }
    is(mark)(go(marked))
    is(marked) {
      when(!io.pending)(go(after))
    }

    // ---- The bitmap
    is(update) {
      when(io.updates.ready)(go(updated))
    }
    is(updated) {
      when(io.updated) {
        active := false.B
        result := MoveResult.done
        go(Mux(evicts, release, finish))
      }
    }
    is(release) {
      io.frames.valid    := true.B
      request.writeUsed  := true.B
      request.writeDirty := true.B
      when(io.frames.ready)(go(finish))
    }

    // ---- All dirty pages, one after the other
    is(walk) {
      io.words.valid := walker.io.words.valid
      io.words.bits  := walker.io.words.bits
      when(walker.io.next.valid) {
        page := walker.io.next.bits
        go(pointer)
      }
      when(walker.io.ended)(written(finish))
    }
    is(finish)(go(idle))
  }
  walker.io.words.ready := state === walk && io.words.ready
}
