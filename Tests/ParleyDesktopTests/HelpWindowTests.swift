import CGtk
import GLibKit
import UserGuide
import XCTest

@testable import DesktopApplication

/// The window of the user's guide, in this process.
final class HelpWindowTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.

    func testTheGuideIsInThePersonsLanguageOrElseEnglish() {
        onMain {
            for (languages, title) in [
                (["de_DE.UTF-8", "de_DE", "de", "C"], "Der erste Start"), (["fr_FR", "fr", "C"], "First start"),
                (["en_GB", "en", "C"], "First start"), ([], "First start"), (["xx", "de"], "Der erste Start"),
                (["en", "de"], "First start"),
            ] {
                XCTAssertEqual(GuideLibrary(languages: languages).entries.first?.title, title, "\(languages)")
            }
        }
    }

    func testEachChapterIsShownWithItsPicture() {
        onMain {
            for languages in [["en"], ["de"]] {
                let library = GuideLibrary(languages: languages)
                XCTAssertGreaterThan(library.entries.count, 10)
                for entry in library.entries {
                    guard let chapter = library.chapter(entry.file) else {
                        XCTFail("\(entry.file) can't be read")
                        continue
                    }
                    let box = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
                    GuidePage(box) { _ in }.show(chapter) { library.resource(of: $0) }
                    let pictures = descendants(of: box).filter { $0.isA(gtk_picture_get_type()) }
                    XCTAssertEqual(pictures.count, chapter.pictures.count)
                    for picture in pictures {
                        let paintable = gtk_picture_get_paintable(picture.pointer())
                        XCTAssertGreaterThan(paintable.map { gdk_paintable_get_intrinsic_width($0) } ?? 0, 300)
                        XCTAssertNotNil(gtk_picture_get_alternative_text(picture.pointer()))
                    }
                }
            }
        }
    }

    func testALinkLeadsToItsChapterAndANarrowWindowShowsListOrChapter() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            let help = HelpWindow(over: world.window.root, library: GuideLibrary(languages: ["en"]))
            help.window.present()
            XCTAssertEqual(help.chapter, "first-start.md")
            let root = help.window.root
            let leaflet = try XCTUnwrap(descendants(of: root).first { $0.isA(adw_leaflet_get_type()) })
            wait(for: "list and chapter beside each other") { adw_leaflet_get_folded(leaflet.pointer()) == 0 }
            gtk_window_set_default_size(root.pointer(), 360, 600)
            wait(for: "one of them") { adw_leaflet_get_folded(leaflet.pointer()) != 0 }
            let label = try XCTUnwrap(
                descendants(of: root).first {
                    $0.isA(gtk_label_get_type()) && gtk_label_get_use_markup($0.pointer()) != 0
                        && String(cString: gtk_label_get_label($0.pointer())).contains("adding-a-contact.md")
                })
            let answer = try label.emit("activate-link", "adding-a-contact.md")
            XCTAssertEqual(answer?.get(as: Bool.self), true)
            wait(for: "the chapter") { help.chapter == "adding-a-contact.md" }
            XCTAssertEqual(
                String(cString: adw_leaflet_get_visible_child_name(leaflet.pointer())), "chapter")
            gtk_widget_activate_action_variant(root.pointer(), "help.list", nil)
            XCTAssertEqual(String(cString: adw_leaflet_get_visible_child_name(leaflet.pointer())), "list")
            help.window.close()
        }
    }
}
