import CGtk
import GLibKit

/// Lets the person zoom into a shared screen: by wheel, pinch and keys; what is zoomed is moved by dragging and by keys.
@MainActor final class ZoomControl {
    /// Whether a screen is shown now. When it is not, the next one begins whole.
    var isPossible = false {
        didSet {
            guard isPossible != oldValue else { return }
            if !isPossible { reset() }
            for name in Self.keys.keys { actions.set(name, isPossible) }
        }
    }

    /// Called with how large the person has made the screen, once they have come to rest: a wheel goes through many sizes.
    var onZoom: (Double) -> Void = { _ in }
    private(set) var zoom = ScreenZoom()
    private let picture: Widget
    private let paintable: VideoPaintable
    private let actions: ActionGroup
    private var pointer = PreviewPlacement.Point(x: 0, y: 0)
    /// What a gesture has done so far.
    private var pinched = 1.0
    private var dragged = (x: 0.0, y: 0.0)
    private var telling: Task<Void, Never>?
    /// How long a person rests who has come to an end.
    private static let rest = Duration.milliseconds(600)

    private static let keys: [String: [String]] = [
        "in": ["<Control>plus", "<Control>equal", "<Control>KP_Add"],
        "out": ["<Control>minus", "<Control>KP_Subtract"],
        "whole": ["<Control>0", "<Control>KP_0"], "left": ["<Control>Left"], "right": ["<Control>Right"],
        "up": ["<Control>Up"], "down": ["<Control>Down"],
    ]

    /// Takes charge of the picture in which `paintable` is shown; the keys count on the whole page.
    init(_ picture: Widget, of paintable: VideoPaintable, on page: Widget) {
        (self.picture, self.paintable) = (picture, paintable)
        actions = ActionGroup("zoom", in: page)
        let stride = ScreenZoom.stride
        add("in") { $0.zoom(by: ScreenZoom.step) }
        add("out") { $0.zoom(by: 1 / ScreenZoom.step) }
        add("whole") { $0.reset() }
        add("left") { $0.pan(x: stride, y: 0) }
        add("right") { $0.pan(x: -stride, y: 0) }
        add("up") { $0.pan(x: 0, y: stride) }
        add("down") { $0.pan(x: 0, y: -stride) }
        for (name, keys) in Self.keys { for key in keys { page.addKey(key, starting: "zoom." + name) } }
        connectWheel()
        connectPinch()
        connectDrag()
        // The small window shows it whole.
        page.connect("unmap") { [weak self] in self?.reset() }
    }

    isolated deinit { telling?.cancel() }

    private func add(_ name: String, _ body: @escaping @MainActor (inout ScreenZoom) -> Void) {
        actions.add(name) { [weak self] in self?.change(body) }
        actions.set(name, false)
    }

    private func change(_ body: (inout ScreenZoom) -> Void) {
        let before = zoom
        body(&zoom)
        guard zoom != before else { return }
        paintable.setZoom(zoom.scale, x: zoom.corner.x, y: zoom.corner.y)
        if zoom.scale != before.scale { tellSoon() }
    }

    /// Shows the next screen whole, of which nothing is to be said.
    private func reset() {
        change { $0.reset() }
        telling?.cancel()
    }

    private func tellSoon() {
        telling?.cancel()
        telling = Task { [weak self] in
            try? await Task.sleep(for: Self.rest)
            guard !Task.isCancelled, let self else { return }
            onZoom(zoom.scale)
        }
    }

    // MARK: Gestures

    private func connectWheel() {
        let motion = attach(gtk_event_controller_motion_new())
        for name in ["enter", "motion"] {
            motion.connect(name) { [weak self] arguments in
                guard let x = arguments.get(0, as: Double.self), let y = arguments.get(1, as: Double.self) else {
                    return
                }
                self?.pointer = .init(x: x, y: y)
            }
        }
        let wheel = attach(gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL))
        wheel.connect("scroll", returning: Bool.self) { [weak self] arguments in
            guard let self, isPossible, let way = arguments.get(1, as: Double.self), let wheel = arguments.sender else {
                return false
            }
            let isByPixels = gtk_event_controller_scroll_get_unit(wheel.pointer()) == GDK_SCROLL_UNIT_SURFACE
            zoom(by: ScreenZoom.factor(scrolled: way, isByPixels: isByPixels), at: pointer)
            return true
        }
    }

    private func connectPinch() {
        let pinch = attach(gtk_gesture_zoom_new())
        pinch.connect("begin") { [weak self] _ in self?.pinched = 1 }
        pinch.connect("scale-changed") { [weak self] arguments in
            guard let self, isPossible, let scale = arguments.get(0, as: Double.self), scale > 0,
                let gesture = arguments.sender
            else { return }
            var (x, y) = (0.0, 0.0)
            if gtk_gesture_get_bounding_box_center(gesture.pointer(), &x, &y) == 0 {
                (x, y) = (pointer.x, pointer.y)
            }
            zoom(by: scale / pinched, at: .init(x: x, y: y))
            pinched = scale
        }
    }

    private func connectDrag() {
        let drag = attach(gtk_gesture_drag_new())
        drag.connect("drag-begin") { [weak self] _ in self?.dragged = (0, 0) }
        drag.connect("drag-update") { [weak self] arguments in
            guard let self, zoom.isZoomed, let box, let x = arguments.get(0, as: Double.self),
                let y = arguments.get(1, as: Double.self), let gesture = arguments.sender
            else { return }
            // A click that slips is one still.
            if max(abs(x), abs(y)) > 4 {
                gtk_gesture_set_state(gesture.pointer(), GTK_EVENT_SEQUENCE_CLAIMED)
            }
            let (right, down) = ((x - dragged.x) / box.size.width, (y - dragged.y) / box.size.height)
            change { $0.pan(x: right, y: down) }
            dragged = (x, y)
        }
    }

    private func attach(_ controller: OpaquePointer?) -> Object {
        let made = Object(adopting: UnsafeMutableRawPointer(controller!))
        g_object_ref(made.raw)  // the picture takes a reference over
        gtk_widget_add_controller(picture.pointer(), made.pointer())
        return made
    }

    private func zoom(by factor: Double, at point: PreviewPlacement.Point) {
        guard let box else { return }
        change { $0.zoom(by: factor, at: ScreenZoom.place(of: point, in: box)) }
    }

    /// Where the whole screen lies in the picture.
    private var box: PreviewPlacement.Frame? {
        ScreenZoom.box(
            of: .init(width: Double(paintable.size.width), height: Double(paintable.size.height)),
            in: .init(
                width: Double(gtk_widget_get_width(picture.pointer())),
                height: Double(gtk_widget_get_height(picture.pointer()))))
    }
}
