import CGStreamer
import Foundation

@testable import Media

extension Sample {
    /// Its sound, of 16 bits and one channel; nothing if it can't be read.
    var samples: [Int16] {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return [] }
        defer { gst_buffer_unmap(buffer, &map) }
        return Array(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self))
    }
}

extension [Int16] {
    /// How strong a tone is in sound of 48 kHz; 1 is full scale.
    func strength(of frequency: Double) -> Double {
        guard !isEmpty else { return 0 }
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / 48_000
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count) / 32_768
    }
}
