import Foundation

/// A WAV file with a steady tone: 48 kHz, one channel, 16 bit.
enum WaveFile {
    /// Writes one of so many samples; `frequency` in Hz, `level` of the peak with 1 as full scale.
    static func write(_ path: String, samples count: Int, frequency: Double, level: Double = 0.5) throws {
        func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let samples = (0..<count).map { index in
            Int16(level * 32_767 * sin(2 * .pi * frequency * Double(index) / 48_000))
        }
        var bytes = Array("RIFF".utf8) + little(UInt32(36 + count * 2)) + Array("WAVEfmt ".utf8)
        bytes += little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1)) + little(UInt32(48_000))
        bytes += little(UInt32(96_000)) + little(UInt16(2)) + little(UInt16(16))
        bytes += Array("data".utf8) + little(UInt32(count * 2)) + samples.flatMap { little($0) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
