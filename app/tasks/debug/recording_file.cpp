#include "app/tasks/debug/recording_file.h"

#include "app/tasks/debug/detail/timeline_impl.h"
#include "app/wire/codec.h"
#include "inspector/format/checksum.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::HostTensor;
using wire::Decoder;
using wire::Encoder;
using Inputs = std::shared_ptr<const std::vector<StoredValue>>;

constexpr std::string_view signature = "ETDEBUG1";
constexpr std::uint32_t maxStoredBranches = 1000;

std::string identityOf(const program::Program& program) {
    return inspector::format::sha256(program.file->bytes());
}

void encode(Encoder& out, const StoredValue& value) {
    out.add(static_cast<std::uint8_t>(value.index()));
    std::visit(
        [&]<class T>(const T& content) {
            if constexpr (std::is_same_v<T, HostTensor>) {
                out.add(static_cast<std::int8_t>(content.dtype));
                out.list(content.sizes, [](Encoder& to, std::int64_t size) { to.add(size); });
                out.list(content.dimOrder, [](Encoder& to, std::uint8_t dim) { to.add(dim); });
                out.block(content.data);
            } else if constexpr (!std::is_same_v<T, std::monostate>) {
                out.add(content);
            }
        },
        value);
}

void encode(Encoder& out, const std::vector<ValueAssignment>& values) {
    out.list(values, [](Encoder& to, const ValueAssignment& each) {
        to.add(each.value.value);
        encode(to, each.content);
    });
}

void encode(Encoder& out, const RecordedExecution& execution, std::uint32_t inputs) {
    out.text(execution.method)
        .add(inputs)
        .text(execution.outputs.empty() ? execution.expectedOutputs : execution.outputs);
    out.list(execution.sources, [](Encoder& to, const std::string& each) { to.text(each); });
    out.list(execution.edits, [](Encoder& to, const TimelineEdit& edit) {
        to.add(static_cast<std::uint8_t>(edit.kind)).add(edit.step);
        encode(to, edit.values);
    });
    out.list(execution.recorded, [](Encoder& to, const auto& each) {
        to.add(each.first);
        encode(to, each.second);
    });
}

/// Reads a recording of a program. Errors: Format (names the field).
class RecordingReader {
  public:
    RecordingReader(core::Bytes bytes, const program::Program& ofProgram) : in(bytes), program(ofProgram) {}

    Result<std::vector<TimelineBranch>> read() {
        ET_TRY(readIdentity());
        ET_TRY(readInputs());
        ET_ASSIGN(const std::uint32_t count, in.count("branches", 32));
        if (count == 0 || count > maxStoredBranches) {
            return fail(ErrorCode::Format,
                        fmt::format("branches: expected 1 to {}, got {}", maxStoredBranches, count));
        }
        std::vector<TimelineBranch> branches;
        for (std::uint32_t i = 0; i < count; ++i) {
            ET_ASSIGN(TimelineBranch branch, readBranch(branches));
            branches.push_back(std::move(branch));
        }
        ET_TRY(in.end());
        return branches;
    }

  private:
    Result<> readIdentity() {
        ET_ASSIGN(const std::string_view magic, in.text("signature"));
        if (magic != signature) {
            return fail(ErrorCode::Format, "this is not a recording of the debugger");
        }
        ET_ASSIGN(const std::string_view name, in.text("program"));
        ET_ASSIGN(const std::string_view identity, in.text("checksum"));
        if (identity != identityOf(program)) {
            return fail(ErrorCode::Mismatch,
                        fmt::format("this is a recording of another program, \"{}\" with SHA-256 {}",
                                    core::printable(name), core::printable(identity)));
        }
        return {};
    }

    Result<> readInputs() {
        ET_ASSIGN(const std::uint32_t count, in.count("inputs", 4));
        for (std::uint32_t i = 0; i < count; ++i) {
            ET_ASSIGN(const std::uint32_t values, in.count("inputs", 1));
            std::vector<StoredValue> list;
            for (std::uint32_t j = 0; j < values; ++j) {
                ET_ASSIGN(StoredValue value, readValue());
                list.push_back(std::move(value));
            }
            inputs.push_back(std::make_shared<const std::vector<StoredValue>>(std::move(list)));
        }
        return {};
    }

    Result<StoredValue> readTensor() {
        HostTensor tensor;
        ET_ASSIGN(const auto dtype, in.number<std::int8_t>("dtype"));
        const auto known = core::scalarType(dtype);
        if (!known) {
            return fail(ErrorCode::Format, fmt::format("dtype: expected a known code, got {}", dtype));
        }
        tensor.dtype = static_cast<core::ScalarType>(dtype);
        ET_ASSIGN(const std::uint32_t dims, in.count("sizes", 8));
        for (std::uint32_t i = 0; i < dims; ++i) {
            ET_ASSIGN(const auto size, in.number<std::int64_t>("sizes"));
            tensor.sizes.push_back(size);
        }
        ET_ASSIGN(const std::uint32_t order, in.count("dim order", 1));
        for (std::uint32_t i = 0; i < order; ++i) {
            ET_ASSIGN(const auto dim, in.number<std::uint8_t>("dim order"));
            tensor.dimOrder.push_back(dim);
        }
        ET_ASSIGN(const core::Bytes data, in.block("data"));
        tensor.data.assign(data.begin(), data.end());
        ET_TRY(inspector::viewOf(tensor));
        return tensor;
    }

    Result<StoredValue> readValue() {
        ET_ASSIGN(const auto kind, in.choice<std::uint8_t>("value", std::variant_size_v<StoredValue>));
        switch (kind) {
            case 1:
                return readTensor();
            case 2:
                return in.number<std::int64_t>("number").transform(
                    [](auto number) { return StoredValue(number); });
            case 3:
                return in.real("number").transform([](auto number) { return StoredValue(number); });
            case 4:
                return in.truth("truth").transform([](bool truth) { return StoredValue(truth); });
            default:
                return StoredValue();
        }
    }

    Result<std::vector<ValueAssignment>> readAssignments(const program::Method& method) {
        ET_ASSIGN(const std::uint32_t count, in.count("values", 5));
        std::vector<ValueAssignment> values;
        for (std::uint32_t i = 0; i < count; ++i) {
            ET_ASSIGN(const auto id, in.number<std::uint32_t>("value"));
            if (id >= method.values.size()) {
                return fail(ErrorCode::Format, fmt::format("value: expected a number below {}, got {}",
                                                           method.values.size(), id));
            }
            ET_ASSIGN(StoredValue content, readValue());
            values.push_back({.value = program::ValueId(id), .content = std::move(content)});
        }
        return values;
    }

    Result<RecordedExecution> readExecution() {
        RecordedExecution execution;
        ET_ASSIGN(const std::string_view name, in.text("method"));
        const program::Method* const method = program.findMethod(name);
        ET_ASSIGN(const auto set, in.number<std::uint32_t>("inputs"));
        if (method == nullptr || set >= inputs.size() || inputs[set]->size() != method->inputs.size()) {
            return fail(ErrorCode::Format,
                        fmt::format("no method \"{}\" with these inputs", core::printable(name)));
        }
        execution.method = name;
        execution.inputs = inputs[set];
        ET_ASSIGN(execution.expectedOutputs, in.text("outputs"));
        ET_ASSIGN(const std::uint32_t sources, in.count("sources", 8));
        for (std::uint32_t i = 0; i < sources; ++i) {
            ET_ASSIGN(const std::string_view source, in.text("source"));
            execution.sources.emplace_back(source);
        }
        ET_ASSIGN(const std::uint32_t edits, in.count("edits", 13));
        for (std::uint32_t i = 0; i < edits; ++i) {
            TimelineEdit edit;
            ET_ASSIGN(edit.kind, in.choice<TimelineEdit::Kind>("edit", 2));
            ET_ASSIGN(edit.step, in.number<std::uint64_t>("step"));
            ET_ASSIGN(edit.values, readAssignments(*method));
            execution.edits.push_back(std::move(edit));
        }
        ET_ASSIGN(const std::uint32_t recorded, in.count("results", 12));
        for (std::uint32_t i = 0; i < recorded; ++i) {
            ET_ASSIGN(const auto step, in.number<std::uint64_t>("step"));
            ET_ASSIGN(execution.recorded[step], readAssignments(*method));
        }
        return execution;
    }

    Result<TimelineBranch> readBranch(const std::vector<TimelineBranch>& earlier) {
        TimelineBranch branch;
        ET_ASSIGN(const auto parent, in.number<std::uint64_t>("parent"));
        ET_ASSIGN(branch.info.from.execution, in.number<std::uint64_t>("execution"));
        ET_ASSIGN(branch.info.from.step, in.number<std::uint64_t>("step"));
        if (parent > earlier.size() || (parent == earlier.size() && parent != 0)) {
            return fail(ErrorCode::Format,
                        fmt::format("parent: expected a branch below {}, got {}", earlier.size(), parent));
        }
        branch.info.parent = parent;
        ET_ASSIGN(const std::string_view edit, in.text("edit"));
        branch.info.edit = core::printable(edit);
        ET_ASSIGN(const std::uint32_t count, in.count("executions", 32));
        for (std::uint32_t i = 0; i < count; ++i) {
            ET_ASSIGN(RecordedExecution execution, readExecution());
            branch.executions.push_back(std::move(execution));
        }
        if (count > 0 && branch.info.from.execution >= count) {
            return fail(ErrorCode::Format, fmt::format("execution: expected a number below {}, got {}", count,
                                                       branch.info.from.execution));
        }
        return branch;
    }

    Decoder in;
    const program::Program& program;
    std::vector<Inputs> inputs;
};

/// The inputs of all executions, which branches share.
std::vector<Inputs> allInputs(std::span<const TimelineBranch> branches) {
    std::vector<Inputs> all;
    std::set<Inputs> seen;
    for (const TimelineBranch& branch : branches) {
        for (const RecordedExecution& execution : branch.executions) {
            if (seen.insert(execution.inputs).second) {
                all.push_back(execution.inputs);
            }
        }
    }
    return all;
}

std::vector<std::byte> encoded(const program::Program& program, std::span<const TimelineBranch> branches) {
    Encoder out;
    out.text(signature).text(program.file->name()).text(identityOf(program));
    const std::vector<Inputs> inputs = allInputs(branches);
    std::map<Inputs, std::uint32_t> numbers;
    out.list(inputs, [&](Encoder& to, const Inputs& set) {
        numbers.emplace(set, static_cast<std::uint32_t>(numbers.size()));
        to.list(*set, [](Encoder& each, const StoredValue& value) { encode(each, value); });
    });
    out.list(branches, [&](Encoder& to, const TimelineBranch& branch) {
        to.add(std::uint64_t{branch.info.parent})
            .add(std::uint64_t{branch.info.from.execution})
            .add(branch.info.from.step)
            .text(branch.info.edit);
        to.list(branch.executions, [&](Encoder& each, const RecordedExecution& execution) {
            encode(each, execution, numbers.at(execution.inputs));
        });
    });
    return out.take();
}

}  // namespace

std::vector<std::byte> RecordingFile::encode(const Timeline& timeline) {
    return encoded(*timeline.impl->model->program, timeline.impl->branches);
}

Result<std::unique_ptr<Timeline>> RecordingFile::open(const std::filesystem::path& file,
                                                      std::unique_ptr<Model> model,
                                                      const TimelineOptions& options) {
    ET_ASSIGN(const auto mapped, core::MappedFile::open(file));
    auto timeline = decode(mapped->bytes(), std::move(model), options);
    return timeline ? std::move(timeline) : std::unexpected(std::move(timeline).error().in(file.string()));
}

Result<std::unique_ptr<Timeline>> RecordingFile::decode(core::Bytes recording, std::unique_ptr<Model> model,
                                                        const TimelineOptions& options) {
    ET_ASSIGN(std::vector<TimelineBranch> branches, RecordingReader(recording, *model->program).read());
    ET_ASSIGN(auto timeline, Timeline::make(std::move(model), options));
    timeline->impl->branches = std::move(branches);
    return timeline;
}

void RecordingFile::forgetResults(Timeline& timeline) {
    for (TimelineBranch& each : timeline.impl->branches) {
        for (RecordedExecution& execution : each.executions) {
            execution.forgetFrom(0);
        }
    }
    timeline.impl->isValid = timeline.impl->isValid && !timeline.impl->isInside;
}

std::vector<std::string> RecordingFile::limitations(const Timeline& timeline) {
    std::vector<std::string> lines;
    Timeline::Impl& state = *timeline.impl;
    for (std::size_t i = 0; i < state.executions().size(); ++i) {
        const RecordedExecution& execution = state.executions()[i];
        const program::Method& method = *state.model->program->findMethod(execution.method);
        for (const auto& [step, values] : execution.recorded) {
            std::string names;
            for (const ValueAssignment& each : values) {
                names += fmt::format("{}v{}", names.empty() ? "" : ", ", each.value.value);
            }
            lines.push_back(fmt::format(
                "execution {}, step {}: {} of {} were computed by a plugin and are recorded by value", i,
                step, names, core::printable(method.name)));
        }
        if (!execution.outputs.empty() && !execution.expectedOutputs.empty() &&
            execution.outputs != execution.expectedOutputs) {
            lines.push_back(
                fmt::format("execution {} computes other outputs here than when it was recorded", i));
        }
    }
    return lines;
}

}  // namespace et::tasks
