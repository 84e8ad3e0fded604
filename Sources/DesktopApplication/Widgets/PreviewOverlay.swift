import CGtk
import GLibKit

/// Lays the local preview over the call and lets the person drag it from corner to corner.
@MainActor final class PreviewOverlay {
    private let overlay: Widget
    private let preview: Widget
    private let paintable: VideoPaintable
    private let header: Widget
    private let bottom: Widget
    private let gesture: Object
    private let companion: (widget: Widget, paintable: VideoPaintable)?
    private(set) var placement: PreviewPlacement

    /// Takes charge of `preview`, a child of `overlay`; header and bottom are kept free while it rests. `companion` is another
    /// small picture, which stays beside it; `placement` says in which corner it begins.
    init(
        overlay: Widget, preview: Widget, paintable: VideoPaintable, header: Widget, bottom: Widget,
        companion: (widget: Widget, paintable: VideoPaintable)? = nil,
        placement: PreviewPlacement = PreviewPlacement()
    ) {
        self.companion = companion
        self.placement = placement
        self.overlay = overlay
        self.preview = preview
        self.paintable = paintable
        self.header = header
        self.bottom = bottom
        gesture = Object(adopting: UnsafeMutableRawPointer(gtk_gesture_drag_new()))
        g_object_ref(gesture.raw)  // the overlay takes a reference over
        gtk_widget_add_controller(overlay.pointer(), gesture.pointer())
        connect()
    }

    /// Where previews lie before anybody has moved them.
    static var firstPlacement: PreviewPlacement {
        PreviewPlacement(isMirrored: gtk_widget_get_default_direction() == GTK_TEXT_DIR_RTL)
    }

    /// Where the preview lies now.
    var frame: PreviewPlacement.Frame { placement.frame(size, in: area) }

    private var area: PreviewPlacement.Area {
        var area = PreviewPlacement.Area(
            size: .init(
                width: Double(gtk_widget_get_width(overlay.pointer())),
                height: Double(gtk_widget_get_height(overlay.pointer()))),
            top: Double(gtk_widget_get_height(header.pointer())))
        // Beside the controls there is room for it in a wide window; elsewhere it stays above them.
        var controls = GtkRequisition()
        gtk_widget_get_preferred_size(bottom.pointer(), nil, &controls)
        let widest = max(
            size(of: paintable, in: area).width, companion.map { size(of: $0.paintable, in: area).width } ?? 0)
        let side = (area.size.width - Double(controls.width)) / 2
        if widest + area.margin > side { area.bottom = Double(controls.height) }
        return area
    }

    private var size: PreviewPlacement.Size { size(of: paintable, in: area) }

    private func size(of paintable: VideoPaintable, in area: PreviewPlacement.Area) -> PreviewPlacement.Size {
        let picture = paintable.size
        return PreviewPlacement.size(
            of: .init(width: Double(picture.width), height: Double(picture.height)), in: area)
    }

    private func connect() {
        overlay.connect("get-child-position", returning: Bool.self) { [weak self] arguments in
            guard let self, let child = arguments.object(0), let frame = self.frame(of: child),
                let rectangle = arguments.get(1, as: UnsafeMutableRawPointer.self)
            else { return false }
            rectangle.assumingMemoryBound(to: GdkRectangle.self).pointee = GdkRectangle(
                x: gint(frame.origin.x), y: gint(frame.origin.y),
                width: gint(frame.size.width), height: gint(frame.size.height))
            return true
        }
        gesture.connect("drag-begin") { [weak self] arguments in
            guard let x = arguments.get(0, as: Double.self), let y = arguments.get(1, as: Double.self) else { return }
            self?.begin(at: .init(x: x, y: y))
        }
        gesture.connect("drag-update") { [weak self] arguments in
            guard let x = arguments.get(0, as: Double.self), let y = arguments.get(1, as: Double.self) else { return }
            self?.placement.drag(by: .init(x: x, y: y))
            self?.layOut()
        }
        gesture.connect("drag-end") { [weak self] in
            guard let self else { return }
            placement.release(size, in: area)
            gtk_widget_set_cursor_from_name(preview.pointer(), "grab")
            layOut()
        }
        gtk_widget_set_cursor_from_name(preview.pointer(), "grab")
    }

    private func frame(of child: Object) -> PreviewPlacement.Frame? {
        if child == preview { return frame }
        guard let companion, child == companion.widget else { return nil }
        return placement.companion(size(of: companion.paintable, in: area), in: area)
    }

    private func begin(at point: PreviewPlacement.Point) {
        guard preview.isVisible, frame.contains(point) else {
            gtk_gesture_set_state(gesture.pointer(), GTK_EVENT_SEQUENCE_DENIED)
            return
        }
        gtk_gesture_set_state(gesture.pointer(), GTK_EVENT_SEQUENCE_CLAIMED)
        gtk_widget_set_cursor_from_name(preview.pointer(), "grabbing")
        placement.grab(size, in: area)
    }

    private func layOut() { gtk_widget_queue_allocate(overlay.pointer()) }
}
