import BaseKit
import DesktopApplication

ProgramEnd.leave(Program.run(Array(CommandLine.arguments.dropFirst())))
