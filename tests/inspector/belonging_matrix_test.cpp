// Matches every real trace and ETRecord with every real program: only files of the same export, or of the
// same structure, must match.
#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "inspector/session/record_check.h"
#include "inspector/session/trace_check.h"
#include "runtime/executor/no_named_data.h"
#include "runtime/program/program.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace et::inspector {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const program::Program> programIn(const fs::path& path) {
    if (path.extension() == ".pte") {
        return program::Program::open(path).value_or(nullptr);
    }
    const auto bundle = bundled_program::Bundle::open(path);
    return bundle ? program::Program::parse((*bundle)->file, (*bundle)->program).value_or(nullptr) : nullptr;
}

/// Returns kinds and dtypes of the nodes inside a delegate.
std::string insideOf(const program::Delegate& delegate) {
    std::string text(delegate.backend);
    const auto all = backends::describable();
    const auto backend = std::ranges::find(all, delegate.backend, &executor::Backend::name);
    if (backend == all.end()) {
        return text;
    }
    const auto inside = (*backend)->describe(delegate, executor::NoNamedData());
    for (std::size_t i = 0; inside && i < inside->nodes().size(); ++i) {
        const core::GraphNode& node = inside->nodes()[i];
        text += "\n  " + node.kind;
        for (const core::GraphValueId id : node.inputs) {
            const std::string& type = inside->value(id).type;
            text += " " + type.substr(0, type.find(' '));
        }
    }
    return text;
}

std::string textOf(const program::Method& method, const std::vector<program::ValueId>& values) {
    std::string text;
    for (const program::ValueId id : values) {
        const auto* tensor = method.value(id).as<program::TensorInfo>();
        text += tensor == nullptr ? " -" : fmt::format(" {}{}", tensor->scalarType, tensor->sizes);
    }
    return text;
}

/// Describes the structure of a method; `fromOutside`: with its values, without the contents of its
/// delegates.
std::string structureOf(const program::Method& method, bool fromOutside) {
    std::string text;
    if (fromOutside) {
        text = fmt::format("{}:{} ->{}", method.name, textOf(method, method.inputs),
                           textOf(method, method.outputs));
    }
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            text += "\n";
            if (const auto* kernel = std::get_if<program::KernelCall>(&instruction)) {
                text += method.op(kernel->op).fullName();
            } else if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
                const program::Delegate& delegate = method.delegate(call->delegate);
                text += fromOutside ? std::string(delegate.backend) : insideOf(delegate);
            } else {
                text += program::instructionName(instruction);
            }
        }
    }
    return text;
}

struct Model {
    fs::path path;
    std::shared_ptr<const program::Program> program;
    std::set<std::string> structures{};  ///< of its nonempty methods
    std::string outside{};               ///< of all its methods

    [[nodiscard]] bool shares(const Model& other) const {
        return std::ranges::any_of(structures,
                                   [&](const std::string& each) { return other.structures.contains(each); });
    }
};

/// Every program of the corpus, bundled or not, and the ETRecords by path without extension.
struct Corpus {
    std::vector<Model> models;
    std::map<std::string, std::shared_ptr<const etrecord::Record>> records;

    Corpus() {
        for (const char* folder : {"programs", "programs2", "llm/models"}) {
            for (const auto& entry : fs::recursive_directory_iterator(test::sharedData() / folder)) {
                add(entry.path());
            }
        }
        std::ranges::sort(models, {}, &Model::path);
    }
    [[nodiscard]] const Model* find(const fs::path& stem) const {
        const auto found = std::ranges::find_if(
            models, [&](const Model& model) { return fs::path(model.path).replace_extension() == stem; });
        return found == models.end() ? nullptr : &*found;
    }

  private:
    void add(const fs::path& path) {
        if (path.extension() == ".etrecord") {
            if (auto record = etrecord::Record::open(path)) {
                records.emplace(fs::path(path).replace_extension().string(), *std::move(record));
            }
        }
        const bool isTwice =
            path.extension() == ".pte" && fs::exists(fs::path(path).replace_extension(".bpte"));
        if (isTwice || (path.extension() != ".bpte" && path.extension() != ".pte")) {
            return;
        }
        Model model{.path = path, .program = programIn(path)};
        if (model.program == nullptr) {
            return;
        }
        for (const program::Method& method : model.program->methods) {
            if (!method.chains.empty() && !method.chains.front().instructions.empty()) {
                model.structures.insert(structureOf(method, false));
            }
            model.outside += structureOf(method, true);
        }
        models.push_back(std::move(model));
    }
};

const Corpus& corpus() {
    static const Corpus all;
    return all;
}

struct Ran {
    std::string name;
    std::shared_ptr<const etdump::Trace> trace;
    std::shared_ptr<const EventBlocks> blocks;
    const Model* model = nullptr;
};

Ran ranBy(const fs::path& path, const fs::path& stem) {
    const auto trace = etdump::Trace::open(path).value();
    return {.name = (path.parent_path().filename() / path.filename()).string(),
            .trace = trace,
            .blocks = EventBlocks::build(trace).value(),
            .model = corpus().find(stem)};
}

/// Returns all traces whose programs are available.
std::vector<Ran> traces() {
    std::vector<Ran> all;
    const fs::path data = test::sharedData();
    simdjson::dom::parser parser;
    for (const simdjson::dom::element each : parser.load((data / "manifest.json").string())["traces"]) {
        const auto text = [&](const char* key) { return std::string(each[key].get_string().value()); };
        all.push_back(ranBy(data / "traces" / text("trace") / "trace.etdp",
                            (data / text("program")).replace_extension()));
    }
    for (const auto& entry : fs::directory_iterator(data / "llm" / "traces")) {
        if (entry.path().extension() == ".etdp") {
            all.push_back(ranBy(entry.path(), data / "llm" / "models" / "tiny-a" / entry.path().stem()));
        }
    }
    std::erase_if(all, [](const Ran& ran) { return ran.model == nullptr; });
    return all;
}

TEST(BelongingMatrix, TracesFitTheirProgramsAndNoOthers) {
    ET_NEEDS_SHARED_DATA();
    const std::vector<Ran> all = traces();
    EXPECT_GT(all.size(), 20U);
    for (const Ran& ran : all) {
        const auto own = contradiction(*ran.blocks, *ran.model->program);
        EXPECT_FALSE(own) << ran.name << ": " << own.value_or("");
        for (const Model& model : corpus().models) {
            if (!model.shares(*ran.model)) {
                EXPECT_TRUE(contradiction(*ran.blocks, *model.program)) << ran.name << " and " << model.path;
            }
        }
    }
}

/// ETRecords that cannot be distinguished from those of programs with the same calls: their sizes are
/// symbols, their operators are in the branches of a condition, or only the weights differ.
bool cannotBeTold(const fs::path& stem) {
    constexpr std::array parts{"/dyn_", "_dyn", "/cond/plain", "/ext_const/conv_all", "/quant_fused/emb"};
    const std::string path = stem.string();
    return std::ranges::any_of(parts, [&path](const char* each) { return path.contains(each); });
}

TEST(BelongingMatrix, RecordsFitTheirProgramsAndNoOthers) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GT(corpus().records.size(), 100U);
    for (const auto& [stem, record] : corpus().records) {
        const Model* own = corpus().find(stem);
        if (own == nullptr) {
            continue;
        }
        const auto wrong = contradiction(*record, *own->program);
        EXPECT_FALSE(wrong) << stem << ": " << wrong.value_or("");
        for (const Model& model : corpus().models) {
            if (model.outside != own->outside && !cannotBeTold(stem)) {
                EXPECT_TRUE(contradiction(*record, *model.program)) << stem << " and " << model.path;
            }
        }
    }
}

TEST(BelongingMatrix, TracesFitTheirRecordsAndNoOthers) {
    ET_NEEDS_SHARED_DATA();
    for (const Ran& ran : traces()) {
        for (const auto& [stem, record] : corpus().records) {
            const Model* model = corpus().find(stem);
            if (model == nullptr || (model != ran.model && model->shares(*ran.model))) {
                continue;
            }
            const auto joined = EventBlocks::build(ran.trace, record);
            ASSERT_TRUE(joined) << joined.error().toString();
            const auto& wrong = (*joined)->recordContradiction();
            EXPECT_EQ(wrong.has_value(), model != ran.model)
                << ran.name << " and " << stem << ": " << wrong.value_or("fits");
            for (const Block& block : (*joined)->blocks()) {
                EXPECT_TRUE(!wrong || (block.method.empty() && block.graph == nullptr)) << "not joined";
            }
        }
    }
}

}  // namespace
}  // namespace et::inspector
