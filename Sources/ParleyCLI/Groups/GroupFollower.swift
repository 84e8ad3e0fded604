import Calling
import MediaRules
import Parley
import Signaling
import Wording

/// Prints what happens in a group call, and leaves it after its time.
struct GroupFollower: Sendable {
    let printer: EventPrinter
    /// How long to stay once somebody is heard; nil: until it is over.
    var talkTime: Duration?
    /// Whether to tell once a second what came of each member.
    var tellsStatistics = false
    var takesCommands = false

    /// Follows `call` to its end. When the task is cancelled, it leaves and follows still.
    /// - Returns: Whether everybody who was in was seen and heard by everybody.
    func follow(_ call: GroupCall, in account: Account) async -> Bool {
        let following = Task { await followToEnd(call, account) }
        return await withTaskCancellationHandler {
            await following.value
        } onCancel: {
            Task { await call.hangUp() }
        }
    }

    private func followToEnd(_ call: GroupCall, _ account: Account) async -> Bool {
        let counter = GroupCounter(call, printer, tells: tellsStatistics)
        let counting = Task { await counter.run() }
        let commanding = takesCommands ? Task { await obey(call, account) } : nil
        var talking: Task<Void, any Error>?
        var news = GroupCallLines()
        var media = call.state.media
        for await state in call.states() {
            await counter.note(state.members, own: state.own)
            for line in news.update(state, call: call.id) {
                printer.event(line.name, line.fields, sentence: line.sentence)
            }
            media = state.media
            if state.stage == .acceptedOn, let talkTime, talking == nil {
                talking = Task {
                    try await Task.sleep(for: talkTime)
                    await call.hangUp()
                }
            }
        }
        talking?.cancel()
        counting.cancel()
        commanding?.cancel()
        // Nothing of the call is told behind its summary.
        await counting.value
        let ledger = await counter.ledger
        let isComplete = ledger.isComplete(media)
        printer.event(
            "groupSummary",
            [
                "call": .string(call.id.description), "complete": .boolean(isComplete),
                "members": .array(
                    ledger.entries.sorted { $0.key < $1.key }.map { number, entry in
                        var fields = GroupCounter.fields(number, entry)
                        fields["unmet"] = GroupCallLines.numbers(ledger.unmet(by: entry, media))
                        return .object(fields)
                    }),
            ],
            sentence: isComplete
                ? .tr("Everybody who was in the call was seen and heard by everybody.")
                : .tr("Not everybody who was in the call was seen and heard by everybody."))
        return isComplete
    }

    private func obey(_ call: GroupCall, _ account: Account) async {
        for await line in StandardInput.lines() where !line.allSatisfy(\.isWhitespace) {
            guard let wish = GroupWish(line: line) else {
                let sentence = tr("“%1$s” is no command. There are: %2$s.", line, GroupWish.all)
                printer.event(
                    "unknownCommand", ["call": .string(call.id.description), "message": .string(sentence)],
                    sentence: PlainLine(sentence))
                continue
            }
            do {
                try await wish.perform(on: call, in: account)
            } catch {
                let sentence = Wording.sentence(of: error)
                printer.event(
                    "failed", ["call": .string(call.id.description), "message": .string(sentence)],
                    sentence: PlainLine(sentence))
            }
        }
    }
}

/// Looks at what comes of each member, twice a second.
actor GroupCounter {
    private(set) var ledger = GroupLedger()
    private let call: GroupCall
    private let printer: EventPrinter
    private let tells: Bool
    private var paths: [MemberNumber: MediaPath] = [:]

    init(_ call: GroupCall, _ printer: EventPrinter, tells: Bool) {
        (self.call, self.printer, self.tells) = (call, printer, tells)
    }

    func note(_ members: [GroupCallState.Member], own: MemberNumber) {
        let presences = members.map {
            GroupLedger.Presence(
                number: $0.number, name: $0.name, stage: $0.stage, heard: $0.shows.heard, seen: $0.shows.seen)
        }
        ledger.note(presences, own: own)
    }

    func run() async {
        var rounds = 0
        while (try? await Task.sleep(for: .milliseconds(500))) != nil {
            rounds += 1
            for member in ledger.entries.keys.sorted() {
                guard let statistics = await call.statistics(of: member), !Task.isCancelled else { continue }
                ledger.count(statistics.received, of: member)
                tellPath(statistics.path, of: member)
                guard tells, rounds.isMultiple(of: 2), let entry = ledger.entries[member] else { continue }
                var fields = Self.fields(member, entry)
                fields["call"] = .string(call.id.description)
                if let pauses = await call.takePauses(of: member) {
                    fields["pictureGap"] = .number(pauses.pictures)
                    fields["soundGap"] = .number(pauses.sound)
                }
                if let layer = await call.shownLayer(of: member) { fields["layer"] = .string(layer.rawValue) }
                printer.event(
                    "memberStatistics", fields,
                    sentence: .tr(
                        "Of %1$s came %2$s pictures and %3$s sound frames.", entry.name, entry.pictures, entry.sounds))
            }
        }
    }

    private func tellPath(_ path: MediaPath?, of member: MemberNumber) {
        guard let path, paths[member] != path else { return }
        paths[member] = path
        printer.event(
            "memberPath",
            [
                "call": .string(call.id.description), "member": .number(Int(member.value)),
                "way": path.isRelayed ? "turn" : "direct",
            ], sentence: nil)
    }

    static func fields(_ member: MemberNumber, _ entry: GroupLedger.Entry) -> EventPrinter.Fields {
        [
            "member": .number(Int(member.value)), "name": .string(entry.name), "wasIn": .boolean(entry.wasIn),
            "pictures": .number(entry.pictures), "sound": .number(entry.sounds),
            "screenSound": .number(entry.screenSounds), "refused": .number(entry.refused),
        ]
    }
}

/// Which lines a state of a group call is told by, against the one before.
struct GroupCallLines {
    struct Line: Equatable {
        var name: String
        var fields: EventPrinter.Fields
        var sentence: PlainLine?
    }

    private var last: GroupCallState?
    private var noticed = 0
    private var screens: [MemberNumber?: ScreenNews] = [:]
    private var devices = DeviceNews()

    mutating func update(_ state: GroupCallState, call: CallID) -> [Line] {
        let id = EventValue.string(call.description)
        var lines: [Line] = []
        if last?.stage != state.stage, state.stage != .ended {
            lines.append(
                Line(
                    name: "groupStage",
                    fields: [
                        "call": id, "state": .string(state.stage.rawValue), "own": .number(Int(state.own.value)),
                        "host": .boolean(state.isHost),
                    ], sentence: nil))
        }
        for member in state.members {
            let before = last?.members.first { $0.number == member.number }
            if before?.stage != member.stage || before?.isHost != member.isHost || before?.contact != member.contact {
                lines.append(
                    Line(
                        name: "member",
                        fields: [
                            "call": id, "member": .number(Int(member.number.value)), "name": .string(member.name),
                            "state": .string(member.stage.rawValue), "host": .boolean(member.isHost),
                            "introduced": .boolean(member.contact == nil), "untrusted": .boolean(member.isUntrusted),
                        ],
                        sentence: before?.stage == member.stage
                            ? nil : PlainLine(member.stage.sentence(naming: member.name))))
            }
            let met = member.shows
            if let before = before?.shows ?? Optional(GroupState()),
                before.heard != met.heard || before.seen != met.seen
            {
                lines.append(
                    Line(
                        name: "memberMet",
                        fields: [
                            "call": id, "member": .number(Int(member.number.value)), "name": .string(member.name),
                            "heard": Self.numbers(met.heard), "seen": Self.numbers(met.seen),
                        ], sentence: nil))
            }
            if (before?.isByRoom ?? false) != member.isByRoom {
                lines.append(
                    Line(
                        name: "memberRoom",
                        fields: [
                            "call": id, "member": .number(Int(member.number.value)), "name": .string(member.name),
                            "byRoom": .boolean(member.isByRoom),
                        ], sentence: nil))
            }
            for news in screens[member.number, default: ScreenNews()]
                .update(peer: member.shows.screen, own: .off, contact: member.name)
            {
                lines.append(
                    Line(
                        name: "memberScreen",
                        fields: [
                            "call": id, "member": .number(Int(member.number.value)), "name": .string(member.name),
                            "state": .string(news.state),
                        ], sentence: news.sentence.map { PlainLine($0) }))
            }
            if before?.key != member.key, let key = member.key { lines.append(line(key, of: member.number, id)) }
        }
        if last?.key != state.key, let key = state.key { lines.append(line(key, of: state.own, id)) }
        for news in screens[nil, default: ScreenNews()].update(peer: false, own: state.screenSharing, contact: "") {
            lines.append(
                Line(
                    name: news.name, fields: ["call": id, "state": .string(news.state)],
                    sentence: news.sentence.map { PlainLine($0) }))
        }
        let ofDevices = devices.update(
            devices: state.devices, isMicrophoneSilent: state.isMicrophoneSilent,
            isMicrophoneMutedBySystem: state.isMicrophoneMutedBySystem)
        for news in ofDevices {
            var fields = news.fields
            fields["call"] = id
            lines.append(Line(name: news.name, fields: fields, sentence: news.sentence.map { PlainLine($0) }))
        }
        if last?.room != state.room {
            lines.append(
                Line(
                    name: "groupRoom", fields: ["call": id, "state": .string(state.room?.rawValue ?? "none")],
                    sentence: nil))
        }
        if let failure = state.roomFailure, last?.roomFailure != failure {
            let sentence = Wording.sentence(of: failure.error)
            lines.append(
                Line(
                    name: "groupRoomFailed", fields: ["call": id, "message": .string(sentence)],
                    sentence: PlainLine(sentence)))
        }
        for notice in state.notices.dropFirst(noticed) {
            lines.append(
                Line(
                    name: "notice", fields: ["call": id, "message": .string(notice.sentence)],
                    sentence: PlainLine(notice.sentence)))
        }
        noticed = max(noticed, state.notices.count)
        if let reason = state.reason, last?.reason == nil {
            lines.append(
                Line(
                    name: "ended",
                    fields: ["call": id, "reason": .string(reason.rawValue), "message": .string(reason.sentence)],
                    sentence: PlainLine(reason.sentence)))
        }
        last = state
        return lines
    }

    static func numbers(_ members: Set<MemberNumber>) -> EventValue {
        .array(members.sorted().map { .number(Int($0.value)) })
    }

    private func line(_ key: GroupCallSnapshot.KeyMark, of member: MemberNumber, _ id: EventValue) -> Line {
        Line(
            name: "groupKey",
            fields: [
                "call": id, "member": .number(Int(member.value)), "epoch": .number(Int(key.epoch)),
                "step": .number(Int(key.step)),
            ], sentence: nil)
    }
}
