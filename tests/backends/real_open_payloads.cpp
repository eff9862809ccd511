#include "tests/backends/real_open_payloads.h"

#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/program.h"
#include "tests/support/shared_data.h"

#include <simdjson.h>

#include <algorithm>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

/// The manifest contains a name, or a number followed by the name; of a nested program, nothing.
std::vector<std::string> operatorsOf(element delegate) {
    std::vector<std::string> all;
    if (delegate["graph_ops"].is_null()) {
        return all;
    }
    for (const element each : delegate["graph_ops"].get_array()) {
        const element name = each.is_array() ? each.at(1).value() : each;
        all.emplace_back(std::string_view(name));
    }
    return all;
}

std::shared_ptr<const program::Program> programAt(const fs::path& path) {
    const auto bundle = bundled_program::Bundle::open(path);
    if (!bundle) {
        return nullptr;
    }
    const auto read = program::Program::parse((*bundle)->file, (*bundle)->program);
    return read ? *read : nullptr;
}

}  // namespace

std::size_t forEachRealDelegate(std::string_view backend,
                                const std::function<void(const fs::path&, const core::ModelGraph&,
                                                         const std::vector<std::string>&)>& take) {
    const fs::path folder = sharedData() / "programs" / "backends";
    const auto described = std::ranges::find(backends::describable(), backend, &executor::Backend::name);
    simdjson::dom::parser parser;
    std::size_t count = 0;
    for (const auto [name, info] : parser.load((folder / "facts.json").string()).get_object()) {
        const fs::path path = folder / (std::string(name) + ".bpte");
        if (!fs::exists(path)) {
            continue;
        }
        const auto program = programAt(path);
        if (program == nullptr || described == backends::describable().end()) {
            ADD_FAILURE() << path;
            return 0;
        }
        for (const element method : info["methods"].get_array()) {
            std::size_t index = 0;
            for (const element delegate : method["delegates"].get_array()) {
                const program::Delegate& ours =
                    program->findMethod(std::string_view(method["name"]))->delegates.at(index++);
                if (ours.backend != backend) {
                    continue;
                }
                const auto graph = (*described)->describe(ours, executor::ModuleData(*program, {}));
                if (!graph) {
                    ADD_FAILURE() << path << ": " << graph.error().toString();
                    continue;
                }
                take(path, *graph, operatorsOf(delegate));
                ++count;
            }
        }
    }
    return count;
}

}  // namespace et::test
