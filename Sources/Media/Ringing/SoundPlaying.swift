import BaseKit
import GLibKit
import MediaRules

/// One sound from its request to its end: reads it, opens the loudspeaker, and goes over to another one when that goes.
final class SoundPlaying: Sendable {
    private enum Event: Sendable {
        /// Loudspeakers came or went.
        case devices
        /// The output of that number says something.
        case output(Int, SoundOutput.News)
    }

    private struct State {
        var output: SoundOutput?
        var volume: Double
        var isStopped = false
    }

    private let request: SoundRequest
    private let monitor: DeviceMonitor
    private let onNotice: @Sendable (MediaNotice) -> Void
    private let state: Lock<State>
    private let events: AsyncStream<Event>
    private let channel: AsyncStream<Event>.Continuation

    /// Does nothing yet. `onNotice` is told what goes wrong, on any thread.
    init(_ request: SoundRequest, monitor: DeviceMonitor, onNotice: @escaping @Sendable (MediaNotice) -> Void) {
        (self.request, self.monitor, self.onNotice) = (request, monitor, onNotice)
        state = Lock(State(volume: request.volume))
        (events, channel) = AsyncStream.makeStream()
    }

    /// Plays, to the end of the sound or to ``stop()``. Once only.
    func run() async {
        do {
            try await MediaQueue.run { try MediaRuntime.start() }
            guard let sound = try await read(), !isStopped else { return }
            try await follow(sound)
        } catch {
            onNotice(.failed(Cause(error)))
        }
        stop()
    }

    /// Ends it, on whichever thread and however far it has come: nothing is heard any more but what the sound server has on its
    /// way already.
    func stop() {
        let output = state.withLock { state in
            defer { state.output = nil }
            state.isStopped = true
            return state.output
        }
        channel.finish()
        if let output { MediaQueue.start { output.close() } }
    }

    /// Makes it louder or quieter.
    func setVolume(_ volume: Double) {
        state.withLock { state in
            state.volume = volume
            state.output?.setVolume(volume)
        }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The sound, or else its substitute; nil when neither can be read.
    private func read() async throws -> DecodedSound? {
        for file in [request.file, request.substitute].compactMap({ $0 }) {
            do {
                return try await MediaQueue.run { try DecodedSound(file) }
            } catch let error as MediaError {
                onNotice(.failed(Cause(error)))
            }
        }
        return nil
    }

    // MARK: Loudspeakers

    private func follow(_ sound: DecodedSound) async throws {
        let changes = try await monitor.changes()
        let watching = Task { [channel] in
            for await _ in changes { channel.yield(.devices) }
        }
        defer { watching.cancel() }
        var (selection, number) = (DeviceSelection(.speaker, wanted: request.device), 0)
        for await event in events {
            let found = await MediaQueue.run(giving: { [monitor] in monitor.found(.speaker) })
            // Once is now: it is not kept for a loudspeaker that comes later.
            if request.repetition == nil, found.isEmpty { return }
            switch event {
            case .devices:
                guard selection.update(found.map(\.device)) != nil else { continue }
            case .output(number, .failed(let message)):
                onNotice(.stopped(.speaker, message))
                selection.refuse(found)
                await close()
            case .output(number, .ended): return
            case .output: continue
            }
            if let device = found.first(where: { $0.device.id == selection.current?.id }), await retarget(to: device) {
                continue
            }
            await close()
            number = await open(sound, &selection, found, after: number)
        }
    }

    /// Opens the chosen loudspeaker, or another one where that can't be opened; gives the output's number.
    private func open(
        _ sound: DecodedSound, _ selection: inout DeviceSelection, _ found: [FoundDevice], after last: Int
    ) async -> Int {
        var number = last
        while !isStopped, let device = found.first(where: { $0.device.id == selection.current?.id }) {
            number += 1
            var request = request
            request.volume = state.withLock { $0.volume }
            do {
                let output = try await MediaQueue.run { [channel, request, number] in
                    try SoundOutput(sound, request, at: device) { channel.yield(.output(number, $0)) }
                }
                await begin(output)
                return number
            } catch {
                onNotice(.failed(Cause(error)))
                selection.refuse(found)
            }
        }
        return number
    }

    /// Lets an output be heard unless it is not wanted any more.
    private func begin(_ output: SoundOutput) async {
        let isWanted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.output = output
            output.setVolume(state.volume)
            return true
        }
        await MediaQueue.run { [self] in
            if isWanted { output.start() }
            // Who stopped it meanwhile may have closed it before it was started.
            if isStopped { output.close() }
        }
    }

    private func retarget(to device: FoundDevice) async -> Bool {
        guard let output = state.withLock({ $0.output }) else { return false }
        return await MediaQueue.run(giving: { output.retarget(to: device) })
    }

    private func close() async {
        let output = state.withLock { state in
            defer { state.output = nil }
            return state.output
        }
        if let output { await MediaQueue.run { output.close() } }
    }
}

extension DeviceSelection {
    /// The device in use failed: goes on to the one before it, or to the first of the others.
    fileprivate mutating func refuse(_ found: [FoundDevice]) {
        if takeBack().device == nil { _ = update(found.map(\.device)) }
    }
}
