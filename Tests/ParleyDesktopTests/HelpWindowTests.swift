import CGtk
import GLibKit
import Testing
import UserGuide

@testable import DesktopApplication

/// The window of the user's guide, in this process.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class HelpWindowTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `the guide is in the person's language or else English`() {
        onMain {
            for (languages, title) in [
                (["de_DE.UTF-8", "de_DE", "de", "C"], "Der erste Start"), (["fr_FR", "fr", "C"], "First start"),
                (["en_GB", "en", "C"], "First start"), ([], "First start"), (["xx", "de"], "Der erste Start"),
                (["en", "de"], "First start"),
            ] {
                #expect(GuideLibrary(languages: languages).entries.first?.title == title, "\(languages)")
            }
        }
    }

    @Test func `each chapter is shown with its picture`() {
        onMain {
            for languages in [["en"], ["de"]] {
                let library = GuideLibrary(languages: languages)
                #expect(library.entries.count > 10)
                for entry in library.entries {
                    guard let chapter = library.chapter(entry.file) else {
                        Issue.record("\(entry.file) can't be read")
                        continue
                    }
                    let box = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
                    GuidePage(box) { _ in }.show(chapter) { library.resource(of: $0) }
                    let pictures = descendants(of: box).filter { $0.isA(gtk_picture_get_type()) }
                    #expect(pictures.count == chapter.pictures.count)
                    for picture in pictures {
                        let paintable = gtk_picture_get_paintable(picture.pointer())
                        #expect(paintable.map { gdk_paintable_get_intrinsic_width($0) } ?? 0 > 300)
                        #expect(gtk_picture_get_alternative_text(picture.pointer()) != nil)
                    }
                }
            }
        }
    }

    @Test func `a link leads to its chapter, and a narrow window shows list or chapter`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            let help = HelpWindow(over: world.window.root, library: GuideLibrary(languages: ["en"]))
            help.window.present()
            #expect(help.chapter == "first-start.md")
            let root = help.window.root
            let leaflet = try #require(descendants(of: root).first { $0.isA(adw_leaflet_get_type()) })
            wait(for: "list and chapter beside each other") { adw_leaflet_get_folded(leaflet.pointer()) == 0 }
            gtk_window_set_default_size(root.pointer(), 360, 600)
            wait(for: "one of them") { adw_leaflet_get_folded(leaflet.pointer()) != 0 }
            let label = try #require(
                descendants(of: root).first {
                    $0.isA(gtk_label_get_type()) && gtk_label_get_use_markup($0.pointer()) != 0
                        && String(cString: gtk_label_get_label($0.pointer())).contains("adding-a-contact.md")
                })
            let answer = try label.emit("activate-link", "adding-a-contact.md")
            #expect(answer?.get(as: Bool.self) == true)
            wait(for: "the chapter") { help.chapter == "adding-a-contact.md" }
            #expect(String(cString: adw_leaflet_get_visible_child_name(leaflet.pointer())) == "chapter")
            gtk_widget_activate_action_variant(root.pointer(), "help.list", nil)
            #expect(String(cString: adw_leaflet_get_visible_child_name(leaflet.pointer())) == "list")
            help.window.close()
        }
    }
}
