#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/devices/target_edit.h"
#include "app/devices/target_file.h"
#include "app/devices/target_test.h"
#include "app/pages/devices/target_page.h"
#include "app/tasks/run/interruption.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {
namespace {

using core::Result;
using devices::Target;

enum class TargetFormat : std::uint8_t { Table, Json };
constexpr std::array targetFormats{Choice{"table", TargetFormat::Table}, Choice{"json", TargetFormat::Json}};

/// Manages the devices that models run on.
class TargetVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "target"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Keep the devices that models run on: add, list, remove and test them";
    }
    [[nodiscard]] std::string details() const override {
        return "A target is a device with a name, for --on of run, bench, verify, gap, compare, generate and "
               "soak. An address is local:, ssh://user@host[:port] or adb:SERIAL: there, models run in "
               "et-agent, which is copied to the device when it is first needed. command: is for everything "
               "else: --run says how a model is run there. Targets are kept in "
               "$XDG_CONFIG_HOME/et-inspect/targets.toml. ssh asks for no password and takes no unknown host "
               "key: connect once by hand first.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {actionGlossary(actions()),
                {.title = "Commands (address command:)",
                 .terms = {{"{from} {to}", "of --push and --pull: the file to copy, and where to"},
                           {"{model}", "of --run: the program, on the device"},
                           {"{inputs}", "the files of the inputs, separated by commas: raw bytes"},
                           {"{etdump}", "where the trace is to be written"},
                           {"{debug}", "where the debug buffer is to be written"},
                           {"{outputs}", "where the outputs are to be written: {outputs}-0.bin, ..."}}}};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect target add pi ssh://pi@raspberrypi.local", "Add a board that ssh reaches"},
                {"et-inspect target add phone adb:R58M12ABCDE", "Add a phone with USB debugging"},
                {"et-inspect target test pi", "Connect, and show what the device is"},
                {"et-inspect bench model.pte --on pi", "Measure a model there"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override {
        return runAction(*this, actions(), action, arguments.size(), invocation);
    }

  private:
    static std::span<const Action<TargetVerb>> actions();

    [[nodiscard]] Result<ExitCode> add(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> list(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> remove(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> test(const Invocation& invocation);

    std::string action;
    std::vector<std::string> arguments;
    Target given;
    bool force = false;
    TargetFormat format = TargetFormat::Table;
};

std::span<const Action<TargetVerb>> TargetVerb::actions() {
    static constexpr std::array table{
        Action<TargetVerb>{"add", "NAME ADDRESS: add a target", 2, 2, "a name and an address",
                           &TargetVerb::add},
        Action<TargetVerb>{"list", "show the targets", 0, 0, "nothing else", &TargetVerb::list},
        Action<TargetVerb>{"remove", "NAME: forget a target", 1, 1, "a name", &TargetVerb::remove},
        Action<TargetVerb>{"test", "TARGET: connect, and show what the device is", 1, 1,
                           "a name or an address", &TargetVerb::test},
    };
    return table;
}

void TargetVerb::addOptions(OptionList& options) {
    addActionArgument(options, actions(), action);
    options.text("ARGUMENT", arguments, "Name, address").takes("ARG");
    options.group("Adding");
    options.text("--folder", given.folder, "Folder of the agent on the device (default: its cache folder)")
        .takes("DIR");
    options.path("--ssh-config", given.sshConfig, "Configuration of ssh (default: that of the user)");
    options.path("--agent", given.agent, "Program to use as the agent (default: the one that is installed)");
    options.text("--push", given.commands.push, "Command that copies {from} to {to} on the device")
        .takes("COMMAND");
    options.text("--run", given.commands.run, "Command that runs {model} there").takes("COMMAND");
    options.text("--pull", given.commands.pull, "Command that copies {from} on the device to {to}")
        .takes("COMMAND");
    options.flag("--force", force, "Replace a target of that name");
    options.group("Output");
    options.choice("--format", format, targetFormats, "Output format of list and test (default: table)");
}

Result<ExitCode> TargetVerb::add(const Invocation&) {
    ET_ASSIGN(const Target target, devices::namedTarget(arguments[0], arguments[1], given));
    ET_ASSIGN(const std::filesystem::path path, devices::targetFile());
    ET_TRY(devices::addTarget(path, target, force));
    return ExitCode::Fine;
}

Result<ExitCode> TargetVerb::list(const Invocation& invocation) {
    ET_ASSIGN(const std::filesystem::path path, devices::targetFile());
    ET_ASSIGN(const std::vector<Target> targets, devices::readTargets(path));
    ET_TRY(
        invocation.console.out(format == TargetFormat::Json ? targetsJson(targets) : targetsText(targets)));
    return ExitCode::Fine;
}

Result<ExitCode> TargetVerb::remove(const Invocation&) {
    ET_ASSIGN(const std::filesystem::path path, devices::targetFile());
    ET_TRY(devices::removeTarget(path, arguments[0]));
    return ExitCode::Fine;
}

Result<ExitCode> TargetVerb::test(const Invocation& invocation) {
    ET_ASSIGN(const Target target, devices::findTarget(arguments[0]));
    const InterruptionGuard guard;
    ET_ASSIGN(const devices::TargetTest shown, devices::testTarget(target, &InterruptionGuard::requested()));
    ET_TRY(invocation.console.out(format == TargetFormat::Json ? targetTestJson(target, shown)
                                                               : targetTestText(target, shown)));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeTargetVerb() {
    return std::make_unique<TargetVerb>();
}

}  // namespace et::app
