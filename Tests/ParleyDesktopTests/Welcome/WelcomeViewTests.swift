import CGtk
import Foundation
import GLibKit
import Parley
import TestSupport
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The welcome with a pretended account.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class WelcomeViewTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// The page in a window, and what it has asked for.
    @MainActor private final class World {
        let provider = FakeProvider(pause: .zero, isNew: true)
        let window = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
        private(set) var begun: [OwnProfile?] = []
        private(set) var finished = 0
        private(set) var view: WelcomeView!

        init() {
            view = WelcomeView(
                provider,
                requests: WelcomeView.Requests(
                    begin: { [weak self] in self?.begun.append($0) }, bring: {},
                    finish: { [weak self] in self?.finished += 1 }))
            gtk_window_set_child(window.pointer(), view.root.pointer())
            gtk_window_set_default_size(window.pointer(), 360, 640)
            gtk_window_present(window.pointer())
        }

        func close() { gtk_window_destroy(window.pointer()) }
    }

    @MainActor private func button(_ label: String, in world: World) throws -> Widget {
        try #require(visibleButton(label, in: world), "\(label)")
    }

    @MainActor private func visibleButton(_ label: String, in world: World) -> Widget? {
        descendants(of: world.view.root).first {
            $0.isA(gtk_button_get_type()) && $0.text == label && $0.isVisible
        }
    }

    @MainActor private func row(_ title: String, in world: World) throws -> Widget {
        try #require(
            descendants(of: world.view.root).first { $0.isA(adw_action_row_get_type()) && $0.text == title }, "\(title)"
        )
    }

    @MainActor private func toggle(of title: String, in world: World) throws -> Widget {
        try #require(descendants(of: row(title, in: world)).first { $0.isA(gtk_switch_get_type()) })
    }

    @MainActor private func goToDevices(_ world: World) throws {
        try button("Skip", in: world).emit("clicked")
        world.view.accountIsOpen()
        try button("Continue", in: world).emit("clicked")
    }

    @Test func `a name that was typed and a picture begin the profile`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("picture.png")
        let orange = try #require(gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, 64, 64))
        gdk_pixbuf_fill(orange, 0xFFA5_00FF)
        #expect(gdk_pixbuf_savev(orange, file, "png", nil, nil, nil) != 0)
        g_object_unref(UnsafeMutableRawPointer(orange))
        try onMain {
            let world = World()
            #expect(try !button("Continue", in: world).isSensitive)
            let entry = descendants(of: world.view.root).first { $0.isA(adw_entry_row_get_type()) }
            #expect(entry?.text == "")
            entry?.text = "  Ada  "
            world.view.setPicture(file)
            wait(for: "the picture") { visibleButton("No Picture", in: world) != nil }
            try button("Continue", in: world).emit("clicked")
            #expect(world.begun.count == 1)
            #expect(world.begun.first??.displayName == "Ada")
            #expect(world.begun.first??.picture != nil)
            world.close()
        }
    }

    @Test func `camera and microphone are open only on their page`() throws {
        try onMain {
            let world = World()
            try goToDevices(world)
            wait(for: "the page") { gtk_widget_get_mapped(try! row("Look at your picture", in: world).pointer()) != 0 }
            #expect(!world.provider.machine.isFilming, "coming to the page opens the camera")
            #expect(!world.provider.machine.isListening, "coming to the page opens the microphone")
            for leave in ["Continue", "Back"] {
                try toggle(of: "Look at your picture", in: world)[property: "active"] = true
                try toggle(of: "Test the microphone", in: world)[property: "active"] = true
                wait(for: "the picture") {
                    descendants(of: world.view.root).contains { $0.isA(gtk_picture_get_type()) && isMapped($0) }
                }
                wait(for: "the microphone") { world.provider.machine.isListening }
                try button(leave, in: world).emit("clicked")
                wait(for: "the camera to be closed") { !world.provider.machine.isFilming }
                wait(for: "the microphone to be closed") { !world.provider.machine.isListening }
                try button(leave == "Continue" ? "Back" : "Continue", in: world).emit("clicked")
                #expect(
                    try toggle(of: "Look at your picture", in: world)[property: "active"] == false, "it opens by itself"
                )
            }
            try toggle(of: "Look at your picture", in: world)[property: "active"] = true
            wait(for: "the camera") { world.provider.machine.isFilming }
            world.close()
            wait(for: "the camera to be closed") { !world.provider.machine.isFilming }
        }
    }

    @Test func `the welcome is finished by its last step alone`() throws {
        try onMain {
            let world = World()
            world.provider.reachable.extent = .thisMachine
            try goToDevices(world)
            try button("Skip", in: world).emit("clicked")
            #expect(world.finished == 0)
            try button("Skip", in: world).emit("clicked")
            #expect(world.finished == 1)
            #expect(world.begun == [nil])
            world.close()
        }
    }

    @Test func `a step in which something was done is not skipped`() throws {
        try onMain {
            let world = World()
            world.provider.reachable.extent = .thisMachine
            try goToDevices(world)
            wait(for: "the page") { gtk_widget_get_mapped(try! row("Look at your picture", in: world).pointer()) != 0 }
            try toggle(of: "Test the microphone", in: world)[property: "active"] = true
            try button("Continue", in: world).emit("clicked")
            _ = try button("Skip", in: world)
            try toggle(of: "Let people in this network reach me", in: world)[property: "active"] = true
            wait(for: "a way to the person") { visibleButton("Done", in: world) != nil }
            world.close()
        }
    }

    @MainActor private func isMapped(_ widget: Widget) -> Bool { gtk_widget_get_mapped(widget.pointer()) != 0 }
}
