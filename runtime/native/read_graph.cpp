#include "runtime/native/read_graph.h"

#include "runtime/native/detail/read_body.h"
#include "runtime/native/detail/read_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <utility>

namespace et::native {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;
using detail::Names;
using detail::Texts;
using detail::viewOf;

constexpr std::string_view knownVersion = "1";
constexpr std::size_t alignment = 8;
/// Tables of a subgraph inside a node, and of a method around all of them.
constexpr flatbuffers::uoffset_t tableDepth = 5 * (detail::maxGraphDepth + 1) + 12;

/// Reads the parts of methods that are not graphs.
class MethodReader {
  public:
    explicit MethodReader(Texts& from) : texts(from), view(from.view) {}

    Result<Method> read(const schema::Method& method, const FieldPath& path);

  private:
    Result<Constant> readConstant(const schema::Constant& constant, const FieldPath& path);
    Result<MutableBuffer> readBuffer(const schema::MutableBuffer& buffer, const FieldPath& path);
    Result<OutputSpec> readSpec(const schema::OutputSpec& spec, const FieldPath& path, const Method& method);
    Result<> readSpecs(const schema::Method& method, const FieldPath& path, Method& read);
    Result<> checkBuffers(const schema::Method& method, const FieldPath& path, const Method& read) const;
    Result<> bind(const flatbuffers::String* name, const FieldPath& path, const void* table);

    Texts& texts;
    FlatView& view;
    Names bound;  ///< names of constants and mutable buffers
};

Result<> MethodReader::bind(const flatbuffers::String* name, const FieldPath& path, const void* table) {
    if (!bound.insert(viewOf(name)).second) {
        return view.fail(
            ErrorCode::Format, path, table,
            fmt::format("expected one definition of \"{}\", got a second", core::printable(viewOf(name))));
    }
    return {};
}

Result<Constant> MethodReader::readConstant(const schema::Constant& constant, const FieldPath& path) {
    Constant read{.name = {}, .key = {}, .kind = static_cast<Constant::Kind>(constant.kind())};
    read.isMutable = constant.mutated();
    const FieldPath namePath = path.field("name");
    const FieldPath keyPath = path.field("data_key");
    const FieldPath metaPath = path.field("meta");
    ET_ASSIGN(read.name, texts.name(constant.name(), namePath, &constant));
    ET_ASSIGN(read.key, texts.name(constant.key(), keyPath, &constant));
    ET_ASSIGN(read.meta, detail::readMeta(texts, constant.meta(), metaPath, &constant));
    if (read.kind < Constant::Kind::Parameter || read.kind > Constant::Kind::Tensor) {
        return view.fail(ErrorCode::Format, path, &constant,
                         fmt::format("expected a parameter, buffer or constant tensor (1 to 3), got kind {}",
                                     constant.kind()));
    }
    ET_TRY(bind(constant.name(), namePath, &constant));
    return read;
}

Result<MutableBuffer> MethodReader::readBuffer(const schema::MutableBuffer& buffer, const FieldPath& path) {
    MutableBuffer read;
    const FieldPath namePath = path.field("name");
    const FieldPath keyPath = path.field("fqn");
    ET_ASSIGN(read.name, texts.name(buffer.name(), namePath, &buffer));
    ET_ASSIGN(read.key, texts.name(buffer.key(), keyPath, &buffer));
    ET_TRY(bind(buffer.name(), namePath, &buffer));
    return read;
}

Result<> MethodReader::checkBuffers(const schema::Method& method, const FieldPath& path,
                                    const Method& read) const {
    for (std::size_t i = 0; i < read.mutableBuffers.size(); ++i) {
        const MutableBuffer& buffer = read.mutableBuffers[i];
        const auto meta = read.graph.tensors.find(buffer.name);
        const auto* const table = method.mutable_buffers()->Get(static_cast<flatbuffers::uoffset_t>(i));
        const FieldPath at = path.at(i);
        if (meta == read.graph.tensors.end()) {
            return view.fail(ErrorCode::Format, at, table,
                             fmt::format("expected metadata of mutable buffer \"{}\", got none",
                                         core::printable(buffer.name)));
        }
        if (std::ranges::any_of(meta->second.sizes, &Dim::isDynamic)) {
            return view.fail(ErrorCode::Format, at, table,
                             fmt::format("expected fixed sizes of mutable buffer \"{}\", got dynamic ones",
                                         core::printable(buffer.name)));
        }
    }
    return {};
}

/// True if a method has such a buffer or input to write.
bool hasTarget(const Method& method, const OutputSpec& spec) {
    if (spec.kind == OutputSpec::Kind::InputMutation) {
        return std::ranges::contains(method.graph.inputs, spec.target);
    }
    return std::ranges::contains(method.mutableBuffers, spec.target, &MutableBuffer::key) ||
           std::ranges::contains(method.constants, spec.target, &Constant::key);
}

Result<OutputSpec> MethodReader::readSpec(const schema::OutputSpec& spec, const FieldPath& path,
                                          const Method& method) {
    OutputSpec read{.name = {}, .kind = static_cast<OutputSpec::Kind>(spec.kind())};
    if (spec.kind() < 0 || read.kind > OutputSpec::Kind::InputMutation) {
        return view.fail(ErrorCode::Unsupported, path, &spec,
                         fmt::format("unknown kind of output {}", spec.kind()));
    }
    ET_ASSIGN(read.name, texts.name(spec.name(), path, &spec));
    ET_ASSIGN(read.target, texts.optional(spec.target(), path));
    if (read.kind != OutputSpec::Kind::UserOutput && !hasTarget(method, read)) {
        return view.fail(ErrorCode::Format, path, &spec,
                         fmt::format("expected a {} of the method as target, got \"{}\"",
                                     read.kind == OutputSpec::Kind::BufferMutation ? "buffer" : "user input",
                                     core::printable(read.target)));
    }
    return read;
}

Result<> MethodReader::readSpecs(const schema::Method& method, const FieldPath& path, Method& read) {
    ET_ASSIGN(read.outputSpecs,
              view.map(method.output_specs(), path, [&](const schema::OutputSpec* spec, const FieldPath& at) {
                  return readSpec(*spec, at, read);
              }));
    if (read.outputSpecs.empty()) {
        for (const std::string& output : read.graph.outputs) {
            read.outputSpecs.push_back({.name = output, .kind = OutputSpec::Kind::UserOutput});
        }
    }
    if (!std::ranges::equal(read.outputSpecs, read.graph.outputs, {}, &OutputSpec::name)) {
        return view.fail(ErrorCode::Format, path, method.output_specs(),
                         fmt::format("expected the {} outputs of the graph, in order, got other names",
                                     read.graph.outputs.size()));
    }
    return {};
}

Result<Method> MethodReader::read(const schema::Method& method, const FieldPath& path) {
    Method read;
    const FieldPath namePath = path.field("name");
    const FieldPath constantsPath = path.field("constants");
    const FieldPath buffersPath = path.field("mutable_buffers");
    const FieldPath graphPath = path.field("graph");
    const FieldPath specsPath = path.field("output_specs");
    ET_ASSIGN(read.name, texts.name(method.name(), namePath, &method));
    ET_ASSIGN(read.constants, view.map(method.constants(), constantsPath,
                                       [&](const schema::Constant* each, const FieldPath& at) {
                                           return readConstant(*each, at);
                                       }));
    ET_ASSIGN(read.mutableBuffers, view.map(method.mutable_buffers(), buffersPath,
                                            [&](const schema::MutableBuffer* each, const FieldPath& at) {
                                                return readBuffer(*each, at);
                                            }));
    ET_ASSIGN(read.graph, detail::readBody(texts, method.graph(), graphPath, bound, 0));
    ET_TRY(checkBuffers(method, buffersPath, read));
    ET_TRY(readSpecs(method, specsPath, read));
    return read;
}

/// Reads all methods of a verified program.
Result<Program> readProgram(FlatView& view, const schema::Program& root, std::size_t bytes) {
    Program program;
    Texts texts(view, bytes);
    const FieldPath path;
    const FieldPath versionPath = path.field("version");
    const FieldPath methodsPath = path.field("methods");
    ET_ASSIGN(program.version, texts.optional(root.version(), versionPath));
    if (program.version != knownVersion) {
        return view.fail(
            ErrorCode::Unsupported, versionPath, root.version(),
            fmt::format("expected version {}, got \"{}\"", knownVersion, core::printable(program.version)));
    }
    std::set<std::string_view> known;
    ET_ASSIGN(program.methods,
              view.map(root.methods(), methodsPath,
                       [&](const schema::Method* method, const FieldPath& at) -> Result<Method> {
                           if (!known.insert(viewOf(method->name())).second) {
                               return view.fail(ErrorCode::Format, at, method,
                                                fmt::format("expected one method \"{}\", got a second",
                                                            core::printable(viewOf(method->name()))));
                           }
                           return MethodReader(texts).read(*method, at);
                       }));
    if (program.methods.empty()) {
        return view.fail(ErrorCode::Format, methodsPath, &root, "expected a method, got none");
    }
    return program;
}

}  // namespace

Result<Program> parseProgram(core::Bytes bytes, std::uint64_t base) {
    std::vector<std::uint64_t> aligned;
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment != 0) {
        aligned.resize(bytes.size() / alignment + 1);
        std::memcpy(aligned.data(), bytes.data(), bytes.size());
        bytes = std::as_bytes(std::span(aligned)).first(bytes.size());
    }
    FlatView view(bytes, base);
    ET_ASSIGN(const schema::Program* root, view.root<schema::Program>(graphIdentifier, tableDepth));
    return readProgram(view, *root, bytes.size());
}

const flatbuffers::TypeTable& graphTypes() {
    return *schema::ProgramTypeTable();
}

}  // namespace et::native
