import CGtk
import GLibKit
import Testing

@testable import DesktopApplication

/// The windows of several calls: one that waits, one on hold.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class SeveralCallWindowsTests: CallWindowsSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `a second caller shows a banner whose buttons do what they say`() throws {
        let answers = [
            ("Hold and accept", "accept video hold"), ("End and accept", "accept video end"), ("Decline", "decline"),
            ("Ignore", "ignore"),
        ]
        for (label, done) in answers {
            try onMain {
                let (world, first, second) = worldWithWaitingCall()
                #expect(world.window.page == .call)
                #expect(world.presenter.call === first)
                try #require(textButton(label, in: world)).emit("clicked")
                wait(for: done) { second.done == [done] }
                #expect(first.done == [])
                world.close()
            }
        }
    }

    @Test func `a banner can be pressed only after it has been seen`() throws {
        onMain {
            let world = CallWindowsWorld()
            let second = StillCall("Ben", .ringingIn)
            world.roster.add(StillCall("Ada", .active(since: .now)))
            wait(for: "the call") { world.window.page == .call }
            second.change { $0.isWaiting = true }
            world.roster.add(second)
            wait(for: "the banner") { shows("Ben", in: world) }
            #expect(!presses("Decline", in: world))
            wait(for: "its buttons") { presses("Decline", in: world) }
            #expect(second.done == [])
            world.close()
        }
    }

    @Test func `a second video call is taken without our camera when that is not seen`() throws {
        try onMain {
            let (world, first, second) = worldWithWaitingCall()
            first.change { $0.cameraEnabled = false }
            pass(.milliseconds(100))
            try #require(textButton("Hold and accept", in: world)).emit("clicked")
            wait(for: "the answer") { second.done == ["accept audio hold"] }
            world.close()
        }
    }

    @Test func `a call that is not on yet can only be ended for another`() throws {
        onMain {
            let world = CallWindowsWorld()
            let second = StillCall("Ben", .ringingIn)
            world.roster.add(StillCall("Ada", .ringingOut))
            second.change { $0.isWaiting = true }
            world.roster.add(second)
            wait(for: "the buttons") { presses("End and accept", in: world) }
            #expect(!presses("Hold and accept", in: world))
            world.close()
        }
    }

    @Test func `calls change places, and the one on hold is listed`() throws {
        try onMain {
            let (world, first, second) = worldWithWaitingCall()
            first.change { $0.isHeld = true }
            second.change {
                $0.isWaiting = false
                $0.stage = .active(since: .now)
            }
            wait(for: "the second call") { world.presenter.call === second }
            wait(for: "the first below it") { shows("Ada – On hold", in: world) }
            #expect(world.window.page == .call)
            #expect(textButton("End and accept", in: world) == nil)
            try #require(textButton("Resume", in: world)).emit("clicked")
            wait(for: "the wish") { first.done == ["resume"] }
            second.change { $0.isHeld = true }
            wait(for: "the first call") { world.presenter.call === first }
            wait(for: "the second below it") { shows("Ben – On hold", in: world) }
            try button("End the call with Ben", in: world.window.root).emit("clicked")
            wait(for: "its end") { second.done == ["hang up"] }
            #expect(first.done == ["resume"])
            world.close()
        }
    }

    @Test func `the end of one call leaves the other on hold in front`() throws {
        try onMain {
            let world = CallWindowsWorld()
            let (first, second) = (StillCall("Ada", .active(since: .now)), StillCall("Ben", .active(since: .now)))
            first.change { $0.isHeld = true }
            world.roster.add(first)
            world.roster.add(second)
            #expect(world.presenter.call === second)
            second.change { $0.stage = .ended(sentence: "Ben hung up.") }
            wait(for: "the call on hold") { world.presenter.call === first }
            #expect(world.window.page == .call)
            #expect(world.ended == ["Ben"])
            #expect(first.done == [], "it goes on by itself")
            wait(for: "the way back") { presses("Resume", in: world) }
            try #require(textButton("Resume", in: world)).emit("clicked")
            wait(for: "the wish") { first.done == ["resume"] }
            world.close()
        }
    }

    @Test func `who waits rings when the other call ends`() throws {
        onMain {
            let (world, first, second) = worldWithWaitingCall()
            first.change { $0.stage = .ended(sentence: "Over.") }
            second.change { $0.isWaiting = false }
            wait(for: "the page") { world.window.page == .incoming && world.presenter.call === second }
            wait(for: "its buttons") { canPress("Accept with video", in: world) }
            world.start("accept")
            wait(for: "the answer") { second.done == ["accept video"] }
            world.close()
        }
    }

    @Test func `the small window stays while calls change places`() throws {
        onMain {
            let (world, first, second) = worldWithWaitingCall()
            world.start("collapse")
            wait(for: "the small window") { world.windows.isCollapsed }
            #expect(world.window.page == .contacts)
            #expect(shows("Ben is calling", in: world), "beside the way back")
            first.change { $0.isHeld = true }
            second.change {
                $0.isWaiting = false
                $0.stage = .active(since: .now)
            }
            wait(for: "the second call") { world.presenter.call === second }
            #expect(world.windows.isCollapsed)
            #expect(world.window.page == .contacts)
            wait(for: "the first one") { shows("Ada is on hold", in: world) }
            world.close()
        }
    }

    @Test func `a dialog shows a call that waits, and its buttons hold the other`() throws {
        try onMain {
            let (world, first, second) = worldWithWaitingCall()
            let dialog = DialogWindow(
                Widget(retaining: UnsafeMutableRawPointer(gtk_window_new())), over: world.window.root)
            world.dialogs.open(.about) { dialog }
            #expect(dialog.ringingBar.root.isVisible)
            try button("Accept with sound only", in: dialog.root).emit("clicked")
            wait(for: "the answer") { second.done == ["accept audio hold"] }
            world.start("mute", in: dialog.root)
            wait(for: "the microphone of the call that is on") { first.done == ["microphone false"] }
            world.close()
        }
    }
}
