#include "app/cli/commands/commands.h"
#include "app/samples/sample_set.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

/// Writes sample files for trying the other commands.
class SampleCommand final : public Command {
  public:
    SampleCommand()
        : Command("sample",
                  "Write a sample model with its program, ETRecord and trace for trying et-inspect") {}

    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary sets{.title = "Sets", .terms = {}};
        for (const samples::SampleInfo& info : samples::sampleInfos()) {
            sets.terms.push_back({std::string(info.name), std::string(info.description)});
        }
        return {sets};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect sample conv_net -o samples", "Write the files to the folder samples, and list them"},
            {"et-inspect --etdump samples/conv_net.etdp --etrecord samples/conv_net.etrecord",
             "Show the time of its operators"}};
    }

    void addOptions(OptionList& options) override {
        std::vector<std::string> names;
        for (const samples::SampleInfo& info : samples::sampleInfos()) {
            names.emplace_back(info.name);
        }
        options.choice("NAME", set, std::move(names), "Sample to write").mustBeGiven();
        options
            .path("-o,--output DIR", folder,
                  "Folder to write to; created if missing (default: current folder)")
            .in("Output");
    }

    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation) override {
        ET_ASSIGN(const auto paths, samples::writeSampleSet(set, folder));
        std::string text;
        for (const std::filesystem::path& path : paths) {
            text += path.string() + "\n";
        }
        return fineAfter(invocation.console.out(text));
    }

  private:
    std::string set;
    std::filesystem::path folder = ".";
};

}  // namespace

const CommandFactory makeSampleCommand = newCommand<SampleCommand>;

}  // namespace et::cli
