import CGtk
import GLibKit

/// Lays the small pictures and the notices over the call, and lets the person move the preview from corner to corner.
@MainActor final class PreviewOverlay {
    /// What lies over the page.
    struct Parts {
        var preview: Widget
        /// Another small picture, which stays beside the preview.
        var companion: Widget
        var notices: Widget
        /// What stands for the large picture.
        var face: Widget
        var header: Widget
        /// The controls with their margin.
        var controls: Widget
    }

    /// Called when the person clicks on the preview, or presses Enter or Space there.
    var onActivate: () -> Void = {}
    /// Called with the corner to which the person has moved the preview.
    var onMove: (PreviewPlacement.Corner) -> Void = { _ in }
    private let overlay: Widget
    private let parts: Parts
    private let gesture: Object
    private(set) var placement: PreviewPlacement

    /// Takes charge of `parts`, children of `overlay`. `placement` says in which corner the preview begins.
    init(overlay: Widget, parts: Parts, placement: PreviewPlacement = PreviewPlacement()) {
        self.placement = placement
        self.overlay = overlay
        self.parts = parts
        gesture = Object(adopting: UnsafeMutableRawPointer(gtk_gesture_drag_new()))
        g_object_ref(gesture.raw)  // the overlay takes a reference over
        gtk_widget_add_controller(overlay.pointer(), gesture.pointer())
        connect()
        connectKeys()
    }

    /// Where previews lie before anybody has moved them.
    static var firstPlacement: PreviewPlacement {
        PreviewPlacement(isMirrored: gtk_widget_get_default_direction() == GTK_TEXT_DIR_RTL)
    }

    /// Where the preview lies now.
    var frame: PreviewPlacement.Frame { placement.frame(size(of: parts.preview, in: area), in: area) }

    /// The area for notices, whose bottom is that of the controls at every width.
    private var room: PreviewPlacement.Area {
        var controls = GtkRequisition()
        gtk_widget_get_preferred_size(parts.controls.pointer(), nil, &controls)
        return PreviewPlacement.Area(
            size: .init(
                width: Double(gtk_widget_get_width(overlay.pointer())),
                height: Double(gtk_widget_get_height(overlay.pointer()))),
            top: Double(gtk_widget_get_height(parts.header.pointer())), bottom: Double(controls.height))
    }

    private var area: PreviewPlacement.Area {
        var area = room
        // Beside the controls there is room for it in a wide window; elsewhere it stays above them.
        var controls = GtkRequisition()
        gtk_widget_get_preferred_size(parts.controls.pointer(), nil, &controls)
        let widest = max(size(of: parts.preview, in: area).width, size(of: parts.companion, in: area).width)
        let side = (area.size.width - Double(controls.width)) / 2
        if widest + area.margin <= side { area.bottom = 0 }
        return area
    }

    /// How large a small picture is to be.
    private func size(of picture: Widget, in area: PreviewPlacement.Area) -> PreviewPlacement.Size {
        let paintable = gtk_picture_get_paintable(picture.pointer())
        let size = PreviewPlacement.Size(
            width: paintable.map { Double(gdk_paintable_get_intrinsic_width($0)) } ?? 0,
            height: paintable.map { Double(gdk_paintable_get_intrinsic_height($0)) } ?? 0)
        return PreviewPlacement.size(of: size, in: area)
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
            let former = placement.corner
            let isTapped = placement.release(size(of: parts.preview, in: area), in: area)
            gtk_widget_set_cursor_from_name(parts.preview.pointer(), "grab")
            layOut()
            tellMove(from: former)
            if isTapped { onActivate() }
        }
        gtk_widget_set_cursor_from_name(parts.preview.pointer(), "grab")
    }

    private func connectKeys() {
        let keys = Object(adopting: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
        g_object_ref(keys.raw)  // the preview takes a reference over
        gtk_widget_add_controller(parts.preview.pointer(), keys.pointer())
        keys.connect("key-pressed", returning: Bool.self) { [weak self] arguments in
            guard let self, let key = arguments.get(0, as: UInt32.self) else { return false }
            // With these an arrow moves a screen that is zoomed, or something else.
            let others = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
            guard (arguments.get(2, as: UInt32.self) ?? 0) & others == 0 else { return false }
            return press(Int32(bitPattern: key))
        }
    }

    private func press(_ key: Int32) -> Bool {
        let former = placement.corner
        switch key {
        case GDK_KEY_Left, GDK_KEY_KP_Left: placement.move(.left)
        case GDK_KEY_Right, GDK_KEY_KP_Right: placement.move(.right)
        case GDK_KEY_Up, GDK_KEY_KP_Up: placement.move(.up)
        case GDK_KEY_Down, GDK_KEY_KP_Down: placement.move(.down)
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space:
            onActivate()
            return true
        default: return false
        }
        layOut()
        tellMove(from: former)
        return true
    }

    private func tellMove(from former: PreviewPlacement.Corner) {
        if placement.corner != former { onMove(placement.corner) }
    }

    private func frame(of child: Object) -> PreviewPlacement.Frame? {
        if child == parts.preview { return frame }
        if child == parts.companion { return companionFrame }
        if child == parts.notices { return noticeFrame }
        guard child == parts.face else { return nil }
        let notices = noticeFrame
        return FacePlacement.frame(
            natural(of: parts.face), in: room, above: notices.size.height > 0 ? notices : nil)
    }

    private var noticeFrame: PreviewPlacement.Frame {
        var pictures: [PreviewPlacement.Frame] = []
        if parts.preview.isVisible { pictures.append(frame) }
        if parts.companion.isVisible { pictures.append(companionFrame) }
        return NoticePlacement.frame(natural(of: parts.notices), in: room, beside: pictures)
    }

    private var companionFrame: PreviewPlacement.Frame {
        placement.companion(size(of: parts.companion, in: area), in: area)
    }

    /// What notices or face want, within the width there is.
    private func natural(of widget: Widget) -> PreviewPlacement.Size {
        var (least, natural) = (GtkRequisition(), GtkRequisition())
        gtk_widget_get_preferred_size(widget.pointer(), &least, &natural)
        let width = max(min(natural.width, gtk_widget_get_width(overlay.pointer()) - 24), least.width)
        var height: gint = 0
        gtk_widget_measure(widget.pointer(), GTK_ORIENTATION_VERTICAL, width, nil, &height, nil, nil)
        return .init(width: Double(width), height: Double(height))
    }

    private func begin(at point: PreviewPlacement.Point) {
        guard parts.preview.isVisible, frame.contains(point) else {
            gtk_gesture_set_state(gesture.pointer(), GTK_EVENT_SEQUENCE_DENIED)
            return
        }
        gtk_gesture_set_state(gesture.pointer(), GTK_EVENT_SEQUENCE_CLAIMED)
        gtk_widget_set_cursor_from_name(parts.preview.pointer(), "grabbing")
        placement.grab(size(of: parts.preview, in: area), in: area)
    }

    private func layOut() { gtk_widget_queue_allocate(overlay.pointer()) }
}
