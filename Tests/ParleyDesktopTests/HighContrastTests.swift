import CGtk
import GLibKit
import Testing

@testable import DesktopApplication

/// The style for high contrast, which libadwaita puts above the other where it is wanted.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class HighContrastTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private final class Problems {
        var count = 0
    }

    @Test func `what lies over pictures is opaque and has an edge`() {
        onMain {
            let names = ["notice-pill", "control-bar", "mini-name"]
            let usual = add("style.css", above: 0)
            defer { remove(usual) }
            for name in names { #expect(look(name).opacity < 1, "\(name)") }
            let contrast = add("style-hc.css", above: 2)
            defer { remove(contrast) }
            for name in names + ["waiting-call"] {
                #expect(abs(look(name).opacity - 1) <= 0.01, "\(name)")
                #expect(look(name).edge >= 2, "\(name)")
            }
        }
    }

    @Test(arguments: [2, 3]) func `all controls of a call fit into the narrowest window, with edges, too`(people: Int) {
        onMain {
            let styles = [add("style.css", above: 0), add("style-hc.css", above: 2)]
            defer { for style in styles { remove(style) } }
            let bar = ControlBar()
            var snapshot = CallSnapshot(stage: .active(since: .now), cameraEnabled: true)
            if people > 2 { snapshot.group = GroupSnapshot(own: .of(1), members: []) }
            bar.show(ControlState(snapshot, kind: .video, cameraCount: 2))
            bar.fit(width: 360)
            let buttons = descendants(of: bar.root).filter {
                gtk_widget_has_css_class($0.pointer(), "call-button") != 0 && $0.isVisible
            }
            #expect(buttons.count == 8)
            let window = window(bar.root, width: 360, height: 100)
            defer { gtk_window_destroy(window.pointer()) }
            var width: Int32 = 0
            gtk_widget_measure(bar.root.pointer(), GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
            #expect(width <= 360)
        }
    }

    @Test func `the styles are free of mistakes`() {
        onMain {
            let problems = Problems()
            let provider = Object(adopting: UnsafeMutableRawPointer(gtk_css_provider_new()))
            provider.connect("parsing-error") { problems.count += 1 }
            for name in ["style.css", "style-hc.css"] {
                gtk_css_provider_load_from_resource(provider.pointer(), Template.folder + "/" + name)
            }
            #expect(problems.count == 0)
        }
    }

    /// How opaque the ground is, and how wide the edge, of what has this class.
    @MainActor private func look(_ name: String) -> (opacity: Double, edge: Int16) {
        let box = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
        box.setClass(name, true)
        let window = window(box, width: 200, height: 100)
        defer { gtk_window_destroy(window.pointer()) }
        var border = GtkBorder()
        gtk_style_context_get_border(gtk_widget_get_style_context(box.pointer()), &border)
        return (opacity(of: box), border.top)
    }

    /// GTK has no getter for the colour: it is read where it is drawn.
    @MainActor private func opacity(of box: Widget) -> Double {
        let paintable = Object(adopting: UnsafeMutableRawPointer(gtk_widget_paintable_new(box.pointer())))
        wait(for: "a picture") { gdk_paintable_get_intrinsic_width(paintable.pointer()) > 0 }
        let snapshot = Object(retaining: UnsafeMutableRawPointer(gtk_snapshot_new()))
        gdk_paintable_snapshot(paintable.pointer(), snapshot.pointer(), 200, 100)
        guard let node = gtk_snapshot_to_node(snapshot.pointer()) else { return 0 }
        defer { gsk_render_node_unref(node) }
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 200, 100)
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        gsk_render_node_draw(node, context)
        cairo_destroy(context)
        cairo_surface_flush(surface)
        guard let bytes = cairo_image_surface_get_data(surface) else { return 0 }
        // Blue, green, red, alpha; the middle.
        return Double(bytes[Int(cairo_image_surface_get_stride(surface)) * 50 + 4 * 100 + 3]) / 255
    }

    @MainActor private func add(_ name: String, above count: guint) -> Object {
        let provider = Object(adopting: UnsafeMutableRawPointer(gtk_css_provider_new()))
        gtk_css_provider_load_from_resource(provider.pointer(), Template.folder + "/" + name)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), provider.pointer(), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION) + count)
        return provider
    }

    @MainActor private func remove(_ provider: Object) {
        gtk_style_context_remove_provider_for_display(gdk_display_get_default(), provider.pointer())
    }
}
