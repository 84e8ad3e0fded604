/// How an encoder of VP8 is set for a size and a machine.
package struct EncoderEffort: Sendable, Equatable {
    /// Threads of one encoder.
    package var threads: Int
    /// libvpx's `cpu-used`: below zero a speed that stays, the faster the lower.
    package var speed: Int

    /// What fits pictures of so many pixels on so many processors.
    ///
    /// Threads of libvpx wait for each other by spinning: on two processors that have other work, two of them make 30 pictures a second
    /// six. So there is more than one only where processors are left.
    package init(pixels: Int, processors: Int) {
        threads =
            switch (pixels, processors) {
            case ((1_600 * 900)..., 8...): 3
            case ((1_280 * 720)..., 4...): 2
            default: 1
            }
        speed =
            switch (pixels, processors) {
            case (..<(960 * 540), _): -6
            case (..<(1_600 * 900), 8...): -6
            case (..<(1_600 * 900), _), (_, 8...): -8
            default: -12
            }
    }
}
