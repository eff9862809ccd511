#include "inspector/size/size_map.h"

#include "backends/payload_data.h"
#include "backends/stored_constants.h"
#include "inspector/delegates/delegates.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/join/node_fields.h"
#include "inspector/size/byte_owners.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/module_data.h"
#include "runtime/native/model_graph.h"
#include "runtime/native/quantized.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using core::Bytes;
using core::Result;

/// Collects claims of bytes in files.
class SizeClaims {
  public:
    /// Adds a file, all of whose bytes belong to `kind` until claimed. Returns its index.
    std::size_t addFile(const core::MappedFile& file, SizeKind kind);

    /// Claims bytes of the most recently added file. Bytes of another file are claimed in that file, and
    /// decoded bytes are not claimed at all. If bytes are claimed twice for the same use, they belong to the
    /// first claim, which counts its uses.
    void claim(core::Bytes bytes, SizePiece piece);

    /// Records data that no file contains.
    void miss(std::string_view name);

    [[nodiscard]] SizeMap finish() &&;

  private:
    struct Open {
        core::Bytes bytes;
        ByteOwners owners;
    };
    using ByteRange = std::pair<const std::byte*, std::size_t>;

    SizeMap map;
    std::vector<Open> files;
    std::map<ByteRange, std::size_t> tensors;  ///< pieces with data, by position
};

std::size_t SizeClaims::addFile(const core::MappedFile& file, SizeKind kind) {
    const std::size_t number = map.files.size();
    map.files.push_back({.name = file.name(), .bytes = file.bytes().size(), .mapped = &file});
    files.push_back({.bytes = file.bytes(), .owners = ByteOwners(file.bytes().size(), map.pieces.size())});
    map.pieces.push_back({.kind = kind, .file = number});
    return number;
}

void SizeClaims::claim(core::Bytes bytes, SizePiece piece) {
    const auto inside = [&](const Open& file) {
        constexpr std::less_equal<const std::byte*> before;
        return before(file.bytes.data(), bytes.data()) &&
               before(bytes.data() + bytes.size(), file.bytes.data() + file.bytes.size());
    };
    const auto file = std::ranges::find_if(files, inside);
    if (bytes.empty() || file == files.end()) {
        return;
    }
    if (!piece.data.empty()) {
        const auto [known, fresh] = tensors.try_emplace({bytes.data(), bytes.size()}, map.pieces.size());
        if (!fresh && map.pieces[known->second].kind != SizeKind::NamedData &&
            map.pieces[known->second].kind != SizeKind::TensorData) {
            ++map.pieces[known->second].uses;
            return;
        }
        known->second = map.pieces.size();
    }
    piece.file = static_cast<std::size_t>(file - files.begin());
    file->owners.paint(static_cast<std::uint64_t>(bytes.data() - file->bytes.data()), bytes.size(),
                       map.pieces.size());
    map.pieces.push_back(std::move(piece));
}

void SizeClaims::miss(std::string_view name) {
    if (!std::ranges::contains(map.missing, name)) {
        map.missing.emplace_back(name);
    }
}

SizeMap SizeClaims::finish() && {
    for (const Open& file : files) {
        const std::vector<std::uint64_t> sums = file.owners.sums(map.pieces.size());
        for (std::size_t at = 0; at < sums.size(); ++at) {
            map.pieces[at].bytes += sums[at];
        }
    }
    std::erase_if(map.pieces, [](const SizePiece& piece) { return piece.bytes == 0; });
    return std::move(map);
}

std::string moduleOf(const std::vector<const etrecord::Node*>& nodes) {
    const format::Cell cell = inspector::commonModule(nodes);
    const auto* const text = std::get_if<std::string>(&cell);
    return text == nullptr ? std::string() : *text;
}

std::string typeOf(std::int8_t scalarType, const std::vector<std::int64_t>& sizes) {
    return fmt::format("{} [{}]", core::scalarTypeName(scalarType), fmt::join(sizes, ", "));
}

/// The backend's description of a value's quantization; empty if there is none.
std::string schemeOf(const core::GraphValue& value) {
    const auto found = std::ranges::find(value.attributes, "quantization", &core::GraphAttribute::name);
    return found == value.attributes.end() ? std::string() : found->text;
}

/// Name of a constant's data outside the payload; empty if the data is inside.
std::string dataNameOf(const core::GraphValue& value) {
    const auto found =
        std::ranges::find(value.attributes, backends::dataNameAttribute, &core::GraphAttribute::name);
    return found == value.attributes.end() ? std::string() : found->text;
}

/// Quantization scales of the values of a delegate's graph, by index.
std::map<std::size_t, Bytes> scalesIn(const DelegateReport& found, const executor::NamedDataSource& data) {
    std::map<std::size_t, Bytes> scales;
    for (const backends::StoredConstant& each : backends::storedConstants(*found.delegate, data)) {
        if (!each.scaleData.empty()) {
            scales.emplace(each.value, each.scaleData);
        }
    }
    return scales;
}

/// The quantization scales of a weight as a piece in its module.
SizePiece scalePiece(SizePiece weight, Bytes scales) {
    weight.tensor += ", scales";
    weight.type.clear();
    weight.scheme.clear();
    weight.data = scales;
    return weight;
}

/// The first instruction of the first chain that reads each value.
std::unordered_map<std::uint32_t, core::InstructionId> firstReaders(const program::Method& method) {
    std::unordered_map<std::uint32_t, core::InstructionId> out;
    if (method.chains.empty()) {
        return out;
    }
    const auto& instructions = method.chains.front().instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const core::InstructionId at{static_cast<std::int32_t>(i)};
        const auto note = [&](const std::vector<program::ValueId>& values) {
            for (const program::ValueId value : values) {
                out.try_emplace(value.value, at);
            }
        };
        if (const auto* const kernel = std::get_if<program::KernelCall>(&instructions[i])) {
            note(kernel->args);
        } else if (const auto* const call = std::get_if<program::DelegateCall>(&instructions[i])) {
            note(call->args);
        }
    }
    return out;
}

/// Claims the contents of a program and its external files, outermost first.
class SizeReader {
  public:
    explicit SizeReader(const SizeSources& from) : sources(from) {}

    Result<SizeMap> read() {
        for (const auto& data : sources.tensorData) {
            addTensorData(*data);
        }
        if (sources.program != nullptr) {
            addProgram();
            ET_TRY(addDelegates());
        }
        if (sources.package != nullptr) {
            addPackage(*sources.package);
        }
        return std::move(claims).finish();
    }

  private:
    void addTensorData(const program::TensorData& data) {
        claims.addFile(*data.file, SizeKind::Padding);
        const Bytes file = data.file->bytes();
        const std::uint64_t tables = std::min<std::uint64_t>(data.header.segmentBase, file.size());
        claims.claim(file.first(tables), {.kind = SizeKind::DataTables});
        for (const program::TensorDataEntry& entry : data.entries) {
            claims.claim(
                entry.data,
                {.kind = SizeKind::TensorData,
                 .tensor = std::string(entry.name),
                 .type = entry.layout ? typeOf(entry.layout->scalarType, entry.layout->sizes) : std::string(),
                 .data = entry.data});
        }
    }

    /// Besides members: the header of the tensors, aliases and the directory.
    void addPackage(const native::Package& package) {
        claims.addFile(*package.file, SizeKind::DataTables);
        const Bytes file = package.file->bytes();
        const auto graph = package.offsetOfMember("program.ptg");
        const auto member = std::ranges::find(package.members, "program.ptg", &native::PackageMember::name);
        if (graph) {
            claims.claim(file.subspan(*graph, member->bytes), {.kind = SizeKind::Tables});
        }
        std::map<std::string_view, const native::Constant*> constants;
        std::map<std::string_view, std::uint32_t> uses;
        for (const native::Method& method : package.program.methods) {
            for (const native::Constant& constant : method.constants) {
                const auto alias = package.aliases.find(constant.key);
                const std::string_view key = alias == package.aliases.end() ? constant.key : alias->second;
                constants.try_emplace(key, &constant);
                ++uses[key];
            }
        }
        for (const auto& [key, tensor] : package.tensors.tensors) {
            const auto found = constants.find(key);
            const auto offset = package.offsetOfTensor(key);
            if (!offset) {
                continue;
            }
            SizePiece piece = found == constants.end() ? SizePiece{.kind = SizeKind::Constant}
                                                       : pieceOf(*found->second, uses.at(key));
            piece.tensor = key;
            piece.type = piece.type.empty() ? typeOf(tensor.scalarType, tensor.sizes) : piece.type;
            piece.module = key.substr(0, key.contains('.') ? key.rfind('.') : 0);
            piece.data = file.subspan(*offset, tensor.data.size());
            claims.claim(piece.data, std::move(piece));
        }
    }

    static SizePiece pieceOf(const native::Constant& constant, std::uint32_t uses) {
        return {.kind = constant.isMutable ? SizeKind::State : SizeKind::Constant,
                .type = native::typeText(constant.meta),
                .scheme = native::quantizationText(constant.meta.quantization),
                .uses = uses};
    }

    void addBundle(const bundled_program::Bundle& bundle) {
        claims.addFile(*bundle.file, SizeKind::TestTables);
        for (const bundled_program::TestSuite& suite : bundle.suites) {
            for (std::size_t i = 0; i < suite.cases.size(); ++i) {
                addTestTensors(suite, i, suite.cases[i].inputs, "input");
                addTestTensors(suite, i, suite.cases[i].expectedOutputs, "output");
            }
        }
    }

    void addTestTensors(const bundled_program::TestSuite& suite, std::size_t testCase,
                        const std::vector<bundled_program::BundledValue>& values,
                        std::string_view direction) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (const auto* const tensor = std::get_if<bundled_program::BundledTensor>(&values[i])) {
                claims.claim(tensor->data, {.kind = SizeKind::TestTensor,
                                            .method = std::string(suite.method),
                                            .tensor = fmt::format("{}: case {}, {} {}", suite.method,
                                                                  testCase, direction, i),
                                            .type = typeOf(tensor->scalarType, tensor->sizes),
                                            .data = tensor->data});
            }
        }
    }

    void addProgram() {
        const program::Program& program = *sources.program;
        // A program given in addition to a bundle takes precedence.
        if (sources.bundle != nullptr && sources.bundle->file == program.file) {
            addBundle(*sources.bundle);
        } else {
            claims.addFile(*program.file, SizeKind::Padding);
        }
        // Without a header, the whole file is the flatbuffer.
        const std::uint64_t tables =
            program.header ? std::min<std::uint64_t>(program.header->programSize, program.bytes.size())
                           : program.bytes.size();
        claims.claim(program.bytes, {.kind = SizeKind::Padding});
        claims.claim(program.bytes.first(tables), {.kind = SizeKind::Tables});
        for (const program::Segment& segment : program.segments) {
            claims.claim(segment.data, {.kind = SizeKind::Unreferenced,
                                        .tensor = std::string(program::segmentUseName(segment.use))});
        }
        for (const program::NamedData& named : program.namedData) {
            claims.claim(named.data,
                         {.kind = SizeKind::NamedData, .tensor = std::string(named.key), .data = named.data});
        }
        for (const program::Method& method : program.methods) {
            addTensors(method);
        }
    }

    void addTensors(const program::Method& method) {
        const InstructionNodes nodes(sources.record, method.name);
        const auto readers = firstReaders(method);
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            const auto* const tensor = method.values[i].as<program::TensorInfo>();
            if (tensor != nullptr && tensor->initialData == program::InitialData::External) {
                noteExternal(tensor->name);
            }
            if (tensor == nullptr || tensor->data.empty()) {
                continue;
            }
            const auto reader = readers.find(static_cast<std::uint32_t>(i));
            claims.claim(
                tensor->data,
                {.kind = tensor->allocation ? SizeKind::State : SizeKind::Constant,
                 .method = std::string(method.name),
                 .tensor = tensor->name.empty() ? fmt::format("{}: value {}", method.name, i)
                                                : std::string(tensor->name),
                 .type = typeOf(tensor->scalarType, tensor->sizes),
                 .module = reader == readers.end() ? std::string() : moduleOf(nodes.nodesOf(reader->second)),
                 .data = tensor->data,
                 .instruction = reader == readers.end() ? core::InstructionId{-1} : reader->second});
        }
    }

    void noteExternal(std::string_view name) {
        if (std::ranges::none_of(sources.tensorData,
                                 [&](const auto& file) { return file->find(name) != nullptr; })) {
            claims.miss(name);
        }
    }

    Result<> addDelegates() {
        ET_ASSIGN(const DelegationReport found, delegatesOf({.program = *sources.program,
                                                             .tensorData = sources.tensorData,
                                                             .backends = sources.backends,
                                                             .record = sources.record}));
        for (const MethodDelegates& method : found.methods) {
            for (const DelegateReport& each : method.delegates) {
                const Bytes payload = each.delegate->payload;
                claims.claim(payload, {.kind = SizeKind::DelegateTables,
                                       .method = std::string(method.method->name),
                                       .backend = std::string(each.delegate->backend),
                                       .data = each.graph == nullptr ? payload : Bytes()});
            }
        }
        // After all payloads, since methods may share one.
        const executor::ModuleData data(*sources.program, sources.tensorData);
        for (const MethodDelegates& method : found.methods) {
            for (std::size_t i = 0; i < method.delegates.size(); ++i) {
                addWeights(*method.method, i, method.delegates[i], data);
            }
        }
        return {};
    }

    void addWeights(const program::Method& method, std::size_t number, const DelegateReport& found,
                    const executor::NamedDataSource& data) {
        const InstructionNodes nodes(sources.record, method.name);
        const std::vector<core::GraphValue> none;
        const auto& values = found.graph == nullptr ? none : found.graph->values();
        const auto scales = scalesIn(found, data);
        std::set<const std::byte*> shown;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const core::GraphValue& value = values[i];
            SizePiece piece{.kind = SizeKind::DelegateWeights,
                            .method = std::string(method.name),
                            .backend = std::string(found.delegate->backend),
                            .tensor = fmt::format("{}: delegate {}, {}", method.name, number, value.name),
                            .type = value.type,
                            .scheme = schemeOf(value),
                            .data = value.data};
            if (!value.consumers.empty()) {
                piece.handles = found.graph->node(value.consumers.front()).debugHandles;
                piece.module = moduleOf(nodes.nodesOf(piece.handles));
            }
            if (const auto own = scales.find(i); own != scales.end()) {
                shown.insert(own->second.data());
                claims.claim(own->second, scalePiece(piece, own->second));
            }
            if (!value.data.empty()) {
                shown.insert(value.data.data());
                claims.claim(value.data, std::move(piece));
            } else if (const std::string name = dataNameOf(value); !name.empty()) {
                claims.miss(name);
            }
        }
        // Named data not described as separate values: tables of a backend.
        for (const NamedBlob& blob : found.namedData) {
            const program::NamedData* const named = sources.program->findNamedData(blob.name);
            if (named != nullptr && !shown.contains(named->data.data())) {
                claims.claim(named->data,
                             {.kind = SizeKind::DelegateWeights,
                              .method = std::string(method.name),
                              .backend = std::string(found.delegate->backend),
                              .tensor = fmt::format("{}: delegate {}, {}", method.name, number, blob.name),
                              .data = named->data});
            }
        }
    }

    const SizeSources& sources;
    SizeClaims claims;
};

}  // namespace

std::string_view name(SizeKind kind) {
    return sizeKinds[static_cast<std::size_t>(kind)].name;
}

std::uint64_t SizeMap::total() const {
    std::uint64_t sum = 0;
    for (const SizedFile& file : files) {
        sum += file.bytes;
    }
    return sum;
}

std::string missingText(const SizeMap& map) {
    constexpr std::size_t named = 3;
    const std::size_t count = map.missing.size();
    if (count == 0) {
        return {};
    }
    std::string out = fmt::format("{} tensor{} missing from these files: ", count, count == 1 ? "" : "s");
    for (std::size_t i = 0; i < std::min(count, named); ++i) {
        out += (i == 0 ? "" : ", ") + core::printable(map.missing[i]);
    }
    return out + (count > named ? ", …" : "");
}

Result<SizeMap> makeSizeMap(const SizeSources& sources) {
    return SizeReader(sources).read();
}

}  // namespace et::inspector
