#include "inspector/session/belonging.h"

#include "inspector/external_data/data_check.h"
#include "inspector/session/artifact.h"
#include "inspector/session/trace_check.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using Contradiction = std::optional<std::string>;
using Path = std::filesystem::path;

/// The files of a session, in display order.
enum class File : std::uint8_t { Program, Bundle, TensorData, Record, Trace, DebugBuffer, Package, Other };

struct FileTraits {
    File file;
    std::string_view name;
    Path SessionFiles::* path;  ///< null: there may be several files
};
constexpr std::array allFiles{
    FileTraits{File::Program, "program", &SessionFiles::program},
    FileTraits{File::Bundle, "bundled program", &SessionFiles::bundle},
    FileTraits{File::Package, "package", &SessionFiles::package},
    FileTraits{File::TensorData, "tensor data", &SessionFiles::tensorData},
    FileTraits{File::Record, "ETRecord", &SessionFiles::record},
    FileTraits{File::Trace, "trace", &SessionFiles::trace},
    FileTraits{File::DebugBuffer, "debug buffer", &SessionFiles::debugBuffer},
    FileTraits{File::Other, "further trace", nullptr},
};
const FileTraits& traits(File file) {
    return *std::ranges::find(allFiles, file, &FileTraits::file);
}

std::span<const etdump::DebugTensor> loggedTensors(const etdump::DebugValue& value) {
    if (const auto* list = std::get_if<std::vector<etdump::DebugTensor>>(&value.value)) {
        return *list;
    }
    const auto* tensor = std::get_if<etdump::DebugTensor>(&value.value);
    return tensor == nullptr ? std::span<const etdump::DebugTensor>() : std::span(tensor, 1);
}

/// Reports debug data of a trace that is outside its debug buffer.
Contradiction bufferAgainstTrace(const core::MappedFile& buffer, const etdump::Trace& trace) {
    const auto size = static_cast<std::int64_t>(buffer.bytes().size());
    bool logs = false;
    for (etdump::EventIndex i = 0; i < trace.eventCount(); ++i) {
        if (trace.events().kind[i] != etdump::EventKind::Debug) {
            continue;
        }
        logs = true;
        for (const etdump::DebugTensor& tensor : loggedTensors(trace.debugValue(i))) {
            const std::int64_t bytes = core::tensorBytes(tensor.scalarType, tensor.sizes).value_or(1);
            if (bytes > 0 && (tensor.offset > size || bytes > size - tensor.offset)) {
                return fmt::format(
                    "the trace logged {} bytes at offset {} of its debug buffer, which has {} bytes", bytes,
                    tensor.offset, size);
            }
        }
    }
    return logs ? std::nullopt
                : Contradiction("the trace logged no values, so no debug buffer belongs to it");
}

/// Whether both have the same operators at the same instructions, which traces and records depend on.
bool sameInstructions(const program::Method& a, const program::Method& b) {
    const auto text = [](const program::Method& method, const program::Instruction& instruction) {
        const auto* const kernel = std::get_if<program::KernelCall>(&instruction);
        return kernel != nullptr ? method.op(kernel->op).fullName()
                                 : std::string(program::instructionName(instruction));
    };
    return std::ranges::equal(a.chains, b.chains, [&](const program::Chain& x, const program::Chain& y) {
        return std::ranges::equal(x.instructions, y.instructions,
                                  [&](const auto& i, const auto& j) { return text(a, i) == text(b, j); });
    });
}

/// Whether the tensors are equal apart from their contents.
bool sameTensors(const program::Method& a, const std::vector<program::ValueId>& left,
                 const program::Method& b, const std::vector<program::ValueId>& right) {
    return std::ranges::equal(left, right, [&](program::ValueId x, program::ValueId y) {
        const auto* one = a.value(x).as<program::TensorInfo>();
        const auto* other = b.value(y).as<program::TensorInfo>();
        return (one == nullptr) == (other == nullptr) &&
               (one == nullptr || (one->scalarType == other->scalarType && one->sizes == other->sizes));
    });
}

bool samePayloads(const program::Method& a, const program::Method& b) {
    return std::ranges::equal(a.delegates, b.delegates,
                              [](const program::Delegate& x, const program::Delegate& y) {
                                  return x.backend == y.backend && std::ranges::equal(x.payload, y.payload);
                              });
}

/// Describes how two methods of the same name differ; empty if they do not.
std::string_view difference(const program::Method& a, const program::Method& b) {
    return !sameInstructions(a, b) ? "has different instructions"
           : !sameTensors(a, a.inputs, b, b.inputs) || !sameTensors(a, a.outputs, b, b.outputs)
               ? "has different inputs or outputs"
           : !samePayloads(a, b) ? "has different delegates"
                                 : "";
}

Contradiction bundleAgainstProgram(const bundled_program::Bundle& bundle, const program::Program& program) {
    const auto embedded = program::Program::parse(bundle.file, bundle.program);
    if (!embedded) {
        return std::nullopt;  // said elsewhere
    }
    for (const program::Method& method : (*embedded)->methods) {
        const program::Method* const other = program.findMethod(method.name);
        const std::string_view wrong =
            other == nullptr ? "is not in the program" : difference(method, *other);
        if (!wrong.empty()) {
            return fmt::format("the bundle contains another program: its \"{}\" {}",
                               core::printable(method.name), wrong);
        }
    }
    return std::nullopt;
}

/// Bytes of weights that are compared with the record while files are opened.
constexpr std::uint64_t comparedWeightBytes = std::uint64_t{1} << 28U;

/// Compares the tensor data with the program and, if `record`, its contents with the record's weights.
DataCheck checkTensorData(const Session& session, bool record, std::string* note = nullptr) {
    const auto data = program::TensorData::open(session.files.tensorData);
    if (!data) {
        return {.verdict = DataVerdict::Mismatch, .contradictions = {data.error().toString()}};
    }
    const std::array files{DataFile{.path = session.files.tensorData, .data = *data}};
    const bool isInBundle = session.files.program.empty();
    const DataQuestion question{.program = *session.program,
                                .programPath = isInBundle ? session.files.bundle : session.files.program,
                                .files = files,
                                .record = record ? session.recordOfProgram() : nullptr,
                                .recordPath = session.files.record,
                                .contentBytes = record ? comparedWeightBytes : 0};
    DataCheck check = checkData(question);
    if (note != nullptr && check.verdict == DataVerdict::Unverified) {
        *note = summary(check, question);
    }
    return check;
}

Contradiction dataAgainstProgram(const Session& session) {
    const DataCheck check = checkTensorData(session, false);
    return check.contradictions.empty() ? Contradiction() : Contradiction(check.contradictions.front());
}

/// Weights of the program that are not those of the record.
void checkWeights(const Session& session, FileBelonging& data, FileBelonging* record) {
    const DataCheck check = checkTensorData(session, true, &data.note);
    if (record == nullptr || session.recordOfProgram() == nullptr) {
        return;
    }
    if (check.verdict == DataVerdict::Mismatch) {
        data.contradictions.push_back(check.contradictions.front());
        data.disagreesWith.push_back(record->kind);
    } else if (check.verdict == DataVerdict::Match) {
        data.agreesWith.push_back(record->kind);
        record->agreesWith.push_back(data.kind);
    }
}

/// A check of two files of a session; a contradiction is attributed to the first.
struct PairCheck {
    File file;
    File against;
    /// Only called if both files are open.
    Contradiction (*check)(const Session& session);
};
constexpr std::array checks{
    PairCheck{File::Bundle, File::Program,
              [](const Session& s) { return bundleAgainstProgram(*s.bundle, *s.program); }},
    PairCheck{File::TensorData, File::Program, [](const Session& s) { return dataAgainstProgram(s); }},
    PairCheck{File::Record, File::Program, [](const Session& s) { return s.recordContradiction; }},
    PairCheck{File::Trace, File::Program,
              [](const Session& s) {
                  auto wrong = contradiction(*s.blocks, *s.program);
                  return wrong ? Contradiction("the trace belongs to another program: " + *wrong) : wrong;
              }},
    PairCheck{File::Record, File::Trace,
              [](const Session& s) {
                  return s.blocks->record() == nullptr
                             ? Contradiction("the trace belongs to the program, but the record does not")
                             : s.blocks->recordContradiction();
              }},
    PairCheck{File::DebugBuffer, File::Trace,
              [](const Session& s) { return bufferAgainstTrace(*s.debugBuffer, *s.trace); }},
};

/// Whether the file can be checked. If no program is given, the bundle contains it.
bool isOpen(const Session& session, File file) {
    switch (file) {
        case File::Program:
            return session.program != nullptr;
        case File::Bundle:
            return session.bundle != nullptr && !session.files.program.empty();
        case File::Package:
            return session.package != nullptr;
        case File::TensorData:
            return !session.files.tensorData.empty();
        case File::Record:
            return session.record != nullptr;
        case File::Trace:
            return session.blocks != nullptr;
        case File::DebugBuffer:
            return session.debugBuffer != nullptr && session.trace != nullptr;
        case File::Other:
            return !session.others.empty();
    }
    return false;
}

/// The file shown for it.
File shownAs(const Session& session, File file) {
    return file == File::Program && session.files.program.empty() ? File::Bundle : file;
}

void checkOther(const Session& session, const OtherTrace& other, FileBelonging& file) {
    const auto say = [&](File against, const Contradiction& wrong) {
        if (wrong) {
            const std::string trace = core::printable(other.files.trace.string());
            file.contradictions.push_back(
                against == File::Trace
                    ? fmt::format("the traces belong to different programs: {}; the second is {}", *wrong,
                                  trace)
                    : fmt::format("the trace {} does not belong to the {}: {}", trace, traits(against).name,
                                  *wrong));
            file.disagreesWith.push_back(traits(shownAs(session, against)).name);
        } else {
            file.agreesWith.push_back(traits(shownAs(session, against)).name);
        }
    };
    if (session.program != nullptr) {
        say(File::Program, contradiction(*other.blocks, *session.program));
    }
    if (session.blocks != nullptr) {
        say(File::Trace, contradiction(*session.blocks, *other.blocks));
    }
}

}  // namespace

std::vector<FileBelonging> belonging(const Session& session) {
    std::vector<FileBelonging> files;
    for (const FileTraits& each : allFiles) {
        if (each.path != nullptr && !(session.files.*each.path).empty()) {
            files.push_back({.kind = each.name, .path = session.files.*each.path});
        }
    }
    const auto find = [&](File file) {
        return std::ranges::find(files, traits(shownAs(session, file)).name, &FileBelonging::kind);
    };
    for (const PairCheck& check : checks) {
        const auto file = find(check.file);
        const auto against = find(check.against);
        if (file == files.end() || against == files.end() || !isOpen(session, check.file) ||
            !isOpen(session, check.against)) {
            continue;
        }
        if (auto wrong = check.check(session)) {
            file->contradictions.push_back(*std::move(wrong));
            file->disagreesWith.push_back(against->kind);
        } else {
            file->agreesWith.push_back(against->kind);
            against->agreesWith.push_back(file->kind);
        }
    }
    const auto data = find(File::TensorData);
    if (data != files.end() && data->contradictions.empty() && session.program != nullptr) {
        const auto record = find(File::Record);
        checkWeights(session, *data, record == files.end() ? nullptr : &*record);
    }
    for (const OtherTrace& other : session.others) {
        FileBelonging& file =
            files.emplace_back(FileBelonging{.kind = traits(File::Other).name, .path = other.files.trace});
        checkOther(session, other, file);
    }
    return files;
}

std::vector<std::string> contradictions(const Session& session) {
    std::vector<std::string> all;
    for (FileBelonging& file : belonging(session)) {
        std::ranges::move(file.contradictions, std::back_inserter(all));
    }
    return all;
}

bool canAdd(const Session& session, const OtherTrace& other) {
    if (session.program != nullptr) {
        return !contradiction(*other.blocks, *session.program);
    }
    if (session.record != nullptr) {
        return other.blocks->record() != nullptr;
    }
    return !contradiction(*session.blocks, *other.blocks);
}

}  // namespace et::inspector
