import DesktopSession
import Logging
import Portal
import Wording

/// Lets keys reach the call while the person does something else: media keys, and keys that the desktop gives for everywhere. Both by
/// choice.
@MainActor final class CallKeys {
    /// What a key asks for.
    enum Wish: Equatable {
        case acceptWithSoundOnly, hangUp, toggleMicrophone
        case setMicrophone(Bool)
    }

    /// Is told what the person wants of the call there is.
    var onWish: (Wish) -> Void = { _ in }

    private enum Shortcut: String, CaseIterable {
        case hangUp = "hang-up"
        case mute

        var shortcut: GlobalShortcuts.Shortcut {
            switch self {
            case .hangUp: .init(rawValue, description: tr("End the call"), wishedKeys: "CTRL+ALT+BackSpace")
            case .mute: .init(rawValue, description: tr("Mute or unmute the microphone"), wishedKeys: "CTRL+ALT+m")
            }
        }
    }

    private let settings: ProgramSettings
    private let logger = Logger(label: "im.parley.keys")
    private let mediaKeys = MediaKeys(identity: ApplicationIdentity.name, desktopEntry: ApplicationIdentity.id)
    private let calls: AsyncStream<MediaKeysCall?>.Continuation
    private var tasks: [Task<Void, Never>] = []
    private var binding: Task<Void, Never>?
    private var present: (identifier: String, name: String?, stage: MediaKeysCall.Stage)?
    private var count = 0
    private var number: Int?
    private var arePlayersStill = false
    /// The call at which keys were asked for last.
    private var lastAttempt = 0

    /// Listens to the keys that the settings allow.
    init(_ settings: ProgramSettings) {
        self.settings = settings
        let (news, calls) = AsyncStream<MediaKeysCall?>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.calls = calls
        tasks = [
            Task { [mediaKeys] in
                for await call in news { await mediaKeys.set(call) }
                await mediaKeys.set(nil)
            },
            Task { [weak self, mediaKeys] in
                for await wish in mediaKeys.wishes { self?.receive(wish) }
            },
        ]
        settingsChanged()
    }

    /// Takes in how the call in front stands, nil when there is none, or none that makes itself felt; `call` tells calls apart. Media keys
    /// reach it once other players stand still: they go to the player that came last, or to one that plays.
    func follow(_ snapshot: CallSnapshot?, call number: Int? = nil, name: String?, playersStandStill: Bool) {
        arePlayersStill = playersStandStill
        if number != self.number { present = nil }
        self.number = number
        switch snapshot?.stage {
        case nil, .ended: present = nil
        case .ringingIn: set(.ringing, name)
        case .ringingOut, .connecting, .active, .reconnecting:
            set(.active(isMicrophoneOn: snapshot?.microphoneEnabled ?? true), name)
        }
        tellMediaKeys()
        // What the desktop took back, or could not give yet, is asked for once a call.
        if present != nil, lastAttempt != count { bindIfWanted() }
    }

    /// The settings have changed.
    func settingsChanged() {
        tellMediaKeys()
        bindIfWanted()
    }

    /// Other players stand still now, or have had time for it.
    func playersStandStill() {
        arePlayersStill = true
        tellMediaKeys()
    }

    private func tellMediaKeys() { calls.yield(settings[.takesMediaKeys] && arePlayersStill ? call : nil) }

    private func bindIfWanted() {
        guard settings[.hasKeysEverywhere] else {
            binding?.cancel()
            binding = nil
            return
        }
        lastAttempt = count
        if binding == nil { binding = Task { [weak self] in await self?.bind() } }
    }

    /// Gives all keys back.
    func close() async {
        calls.finish()
        binding?.cancel()
        await tasks.first?.value
        for task in tasks { task.cancel() }
    }

    private func set(_ stage: MediaKeysCall.Stage, _ name: String?) {
        if present == nil { count += 1 }
        present = ("\(count)", name, stage)
    }

    private var call: MediaKeysCall? {
        present.map { present in
            let name = settings[.showsCaller] ? present.name : nil
            return MediaKeysCall(present.identifier, title: name ?? tr("In a call"), stage: present.stage)
        }
    }

    private func receive(_ wish: MediaKeysWish) {
        switch wish {
        case .acceptWithSoundOnly(let call) where call == present?.identifier: onWish(.acceptWithSoundOnly)
        case .setMicrophone(let call, let isOn) where call == present?.identifier: onWish(.setMicrophone(isOn))
        // It is over.
        case .acceptWithSoundOnly, .setMicrophone: break
        }
    }

    private func bind() async {
        do {
            let portal = try await DesktopPortal.connect()
            let shortcuts = try await GlobalShortcuts.bind(
                Shortcut.allCases.map(\.shortcut), for: ApplicationIdentity.id, on: portal)
            for await pressed in shortcuts.activations {
                guard present != nil, !Task.isCancelled else { continue }
                switch Shortcut(rawValue: pressed) {
                case .hangUp: onWish(.hangUp)
                case .mute: onWish(.toggleMicrophone)
                case nil: break
                }
            }
            await shortcuts.close()
        } catch {
            logger.notice("The desktop gives no keys for everywhere: \(error)")
        }
        if !Task.isCancelled { binding = nil }
    }
}
