import DesktopApplication
import Glibc
import Synchronization

/// A moving test picture; a still one while pictures of the windows are taken, so that they are the same each time.
final class FakeVideo: VideoSource {
    private static let isStill = getenv("PARLEY_SCREENSHOTS") != nil
    private struct State {
        var picture: FakePicture?
        var handler: (@Sendable () -> Void)?
        var hue: Int
        var step = 0
        var task: Task<Void, Never>?
    }

    private let width: Int
    private let height: Int
    private let state: Mutex<State>

    init(width: Int, height: Int, hue: Int) {
        self.width = width
        self.height = height
        state = Mutex(State(hue: hue))
    }

    func latest() -> (any VideoPicture)? { state.withLock { $0.picture } }

    func setHandler(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

    /// Starts to move.
    func start() {
        let task = Task.detached { [weak self] in
            while !Task.isCancelled {
                self?.draw()
                try? await Task.sleep(for: .milliseconds(80))
            }
        }
        state.withLock { $0.task = task }
    }

    /// Stops.
    func stop() { state.withLock { $0.task?.cancel() } }

    /// Changes the colour, as another camera would.
    func turn() { state.withLock { $0.hue = ($0.hue + 90) % 256 } }

    private func draw() {
        let (hue, step) = state.withLock { state in
            state.step = Self.isStill ? 30 : state.step + 1
            return (state.hue, state.step)
        }
        let picture = FakePicture(width: width, height: height, hue: hue, step: step)
        let handler = state.withLock { state in
            state.picture = picture
            return state.handler
        }
        handler?()
    }
}

/// One picture of soft colours with a bar that moves.
final class FakePicture: VideoPicture, @unchecked Sendable {
    // Unchecked: the memory is written in the initialiser only.
    let width: Int
    let height: Int
    let stride: Int
    private let memory: UnsafeMutableRawBufferPointer

    init(width: Int, height: Int, hue: Int, step: Int) {
        self.width = width
        self.height = height
        stride = width * 4
        memory = .allocate(byteCount: stride * height, alignment: 16)
        let bar = step * 7 % width
        let lights = (0..<width).map { ($0 - bar).magnitude < 12 ? 60 : 0 }
        var row = [UInt8](repeating: 0xFF, count: stride)
        for x in 0..<width {
            row[x * 4 + 2] = UInt8(clamping: 40 + x * 120 / width + hue / 3 + lights[x])
            row[x * 4] = UInt8(clamping: 170 - hue / 2 + lights[x])
        }
        // Rows of nearly one colour are copies: this draws all the time beside what is tested, unoptimized.
        for top in Swift.stride(from: 0, to: height, by: 4) {
            let green = 60 + top * 110 / height
            let (dark, bright) = (UInt8(green), UInt8(min(green + 60, 255)))
            for x in 0..<width { row[x * 4 + 1] = lights[x] == 0 ? dark : bright }
            for y in top..<min(top + 4, height) { row.withUnsafeBytes { memory[(y * stride)...].copyBytes(from: $0) } }
        }
    }

    deinit { memory.deallocate() }

    func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }
}
