import ArgumentParser
import BaseKit
import Foundation
import Logging
import TerminalText
import Wording

/// `parley-cli`: calls without a window.
@main
struct ParleyCLI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley-cli",
        abstract: "Audio and video calls over SMP relays, without a window.",
        discussion: """
            Options stand before or after the command. Every command but test-call, devices, doctor and service needs \
            --profile DIR, the folder of the account; the first use names a relay too: --relay smp://FINGERPRINT@HOST:PORT.
            """,
        subcommands: [
            TestCall.self, Invite.self, Links.self, Connect.self, Address.self, Requests.self, Accept.self, Reject.self,
            Contacts.self, LookAround.self, Rename.self, NoteCommand.self, LabelCommand.self, Compared.self, Block.self,
            Unblock.self, Busy.self, Invitations.self, ShowProfile.self, SendMessage.self, ShowMessages.self,
            Status.self, ShowDevices.self, Listen.self, CallContact.self, GroupCommand.self, Rotate.self, Resync.self,
            ProfileKey.self,
            LogCommand.self, ShowServers.self, ExportProfile.self, ImportProfile.self, DoctorCommand.self,
            ServiceCommand.self,
        ])

    static func main() async {
        Translation.bind(domain: "parley", directory: Translation.installedDirectory)
        LoggingSystem.bootstrap { label in
            SafeLogHandler(label: label, level: .error)
        }
        var running: any ParsableCommand.Type = Self.self
        do {
            var command = try parseAsRoot(try ArgumentOrder.commandFirst(Array(CommandLine.arguments.dropFirst())))
            running = type(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            ProgramEnd.leave(ExitCode.success.rawValue)
        } catch let mistake as CommandLineMistake {
            FileHandle.standardError.write(
                Data("Error: \(TerminalText.line("\(mistake)"))\nUsage: \(usageString(for: running))\n".utf8))
            ProgramEnd.leave(ExitCode.validationFailure.rawValue)
        } catch {
            let (status, text) = (running.exitCode(for: error), running.fullMessage(for: error))
            if !text.isEmpty {
                let output = status.isSuccess ? FileHandle.standardOutput : .standardError
                output.write(Data("\(TerminalText.lines(text))\n".utf8))
            }
            ProgramEnd.leave(status.rawValue)
        }
    }
}

/// A mistake that shows only once the profile is open: told in one sentence, with the usage.
struct CommandLineMistake: Error, CustomStringConvertible {
    let description: String
}

/// Lets options stand before the command.
enum ArgumentOrder {
    /// The options of all commands that are followed by a value.
    static let valueOptions: Set<String> = [
        "--profile", "--relay", "--name", "--camera", "--microphone", "--speaker", "--for", "--ring-for",
        "--passphrase-file",
        "--new-passphrase-file", "--file-passphrase", "--to",
        "--private-routing", "--call-servers", "--contact", "--result", "--kind", "--since", "--until", "--text",
        "--limit", "--delete", "--tones", "--on-second-call", "--description", "--picture",
    ]

    /// The same arguments with the command in front of the options that stood before it.
    /// - Throws: `CommandLineMistake` when there is no command.
    static func commandFirst(_ arguments: [String]) throws(CommandLineMistake) -> [String] {
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-") {
            index += valueOptions.contains(arguments[index]) ? 2 : 1
        }
        guard index < arguments.count else {
            guard !arguments.contains(where: valueOptions.contains) else {
                throw CommandLineMistake(description: tr("The command is missing."))
            }
            return arguments
        }
        return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
    }
}
