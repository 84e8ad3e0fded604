/// Why a run can't go on, in one sentence.
enum BenchError: Error, Equatable, Sendable, CustomStringConvertible {
    case programMissing(String)
    case programFailed(String)
    case notLoopback(String)
    case connect(String)
    case setUp(String)
    case lost(subject: String, messages: Int)
    case disk(String)
    case call(String)
    case browserMissing
    case soundServerMissing
    case screenMissing
    case janusMissing
    case janusFailed(String)
    case networkMissing

    var description: String {
        switch self {
        case .programMissing(let name): "There is no program \(name) beside this one; say where it is with --relay."
        case .programFailed(let reason): "The relay could not be started: \(reason)."
        case .notLoopback(let host): "\(host) is not this machine; add --allow-remote if you may put load on it."
        case .connect(let reason): "The relay can't be measured: \(reason)"
        case .setUp(let reason): "The relay refused what the measurement needs: \(reason)"
        case .lost(let subject, let messages): "\(subject) did not deliver \(messages) messages in time."
        case .call(let reason): "The call can't be measured: \(reason)."
        case .browserMissing: "There is no Chromium here to compare with; install the package chromium."
        case .soundServerMissing: "There is no PulseAudio here to hear with; install the package pulseaudio."
        case .screenMissing: "There is no Xvfb here to draw on; install the package xvfb."
        case .janusMissing: "There is no Janus here to call over; install the package janus."
        case .janusFailed(let reason): "The Janus could not be started: \(reason)."
        case .networkMissing: "This machine has no IPv4 address besides loopback, which Janus sends no media by."
        case .disk(let reason): "The disk can't be measured: \(reason)."
        }
    }
}
