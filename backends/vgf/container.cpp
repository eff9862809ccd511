#include "backends/vgf/container.h"

#include "backends/payload_data.h"
#include "backends/vgf/schema/tables_generated.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/flat_view.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace et::backends::vgf {
namespace {

using core::ByteReader;
using core::Bytes;
using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

constexpr std::string_view magic = "VGF1";
constexpr std::string_view oldMagic = "\xC3\xD2\xE1\xF0";
constexpr std::size_t headerSize = 128;
constexpr std::uint8_t newestMinor = 4;
constexpr std::size_t flatbufferAlignment = 8;
constexpr std::size_t longestName = 256;
constexpr std::string_view constantsMark = "CONST00";
constexpr std::size_t constantsHeader = 16;
constexpr std::size_t constantRecord = 24;
constexpr std::array<std::string_view, 4> sectionNames{"modules", "sequence", "resources", "constants"};

std::string nameOf(const flatbuffers::String* text) {
    return text == nullptr ? std::string() : core::printable(text->string_view().substr(0, longestName));
}

/// A section that is a flatbuffer. Older files do not align sections, so that those are copied.
class FlatSection {
  public:
    explicit FlatSection(Bytes from) : original(from), bytes(from) {
        if (reinterpret_cast<std::uintptr_t>(from.data()) % flatbufferAlignment != 0) {
            copy.resize((from.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
            std::memcpy(copy.data(), from.data(), from.size());
            bytes = std::as_bytes(std::span(copy)).first(from.size());
        }
    }

    [[nodiscard]] Bytes aligned() const { return bytes; }
    /// The bytes of the payload at the place of `part`.
    [[nodiscard]] Bytes inPayload(Bytes part) const {
        return part.empty()
                   ? Bytes()
                   : original.subspan(static_cast<std::size_t>(part.data() - bytes.data()), part.size());
    }

  private:
    Bytes original;
    std::vector<std::uint64_t> copy;
    Bytes bytes;
};

class Reader {
  public:
    Reader(Bytes all, ByteCoverage* to) : payload(all), coverage(to) {}

    Result<Container> read() {
        ET_TRY(readHeader());
        ET_TRY(readModules());
        ET_TRY(readResources());
        ET_TRY(readConstants());
        ET_TRY(readSequence());
        return std::move(made);
    }

  private:
    Result<> readHeader();
    Result<> readModules();
    Result<> readResources();
    Result<> readConstants();
    Result<> readConstantTable(Bytes section);
    Result<> readSequence();
    Result<Segment> readSegment(FlatView& view, const schema::Segment& table, const FieldPath& path);
    using BindingTables = flatbuffers::Vector<flatbuffers::Offset<schema::Binding>>;
    Result<std::vector<Binding>> bindings(FlatView& view, const BindingTables* tables, const FieldPath& path);

    [[nodiscard]] std::uint64_t offsetOf(std::size_t section) const {
        return static_cast<std::uint64_t>(made.sections[section].data() - payload.data());
    }
    void cover(Bytes flatbuffer, const flatbuffers::TypeTable& type) {
        if (coverage != nullptr) {
            coverage->addFlatbuffer(flatbuffer, "", type);
        }
    }
    void cover(Bytes bytes) {
        if (coverage != nullptr) {
            coverage->add(bytes.data(), bytes.size());
        }
    }

    Bytes payload;
    ByteCoverage* coverage;
    Container made;
};

Result<> Reader::readHeader() {
    ByteReader reader(payload);
    ET_ASSIGN(const Bytes mark, reader.take(magic.size(), "header.magic"));
    if (core::textOf(mark) != magic && core::textOf(mark) != oldMagic) {
        return core::fail(ErrorCode::Format, "expected a VGF file (VGF1)",
                          {.file = {}, .field = "header.magic", .offset = 0});
    }
    ET_ASSIGN(made.vulkanHeader, reader.read<std::uint16_t>("header.vulkan_header"));
    ET_TRY(reader.read<std::uint16_t>("header"));
    ET_ASSIGN(const auto major, reader.read<std::uint8_t>("header.version"));
    ET_ASSIGN(const auto minor, reader.read<std::uint8_t>("header.version"));
    ET_ASSIGN(const auto patch, reader.read<std::uint8_t>("header.version"));
    made.version = fmt::format("{}.{}.{}", major, minor, patch);
    if (major != 0 || minor > newestMinor) {
        return core::fail(ErrorCode::Unsupported,
                          fmt::format("expected at most version 0.{}, got {}", newestMinor, made.version),
                          {.file = {}, .field = "header.version", .offset = reader.position() - 3});
    }
    ET_TRY(reader.take(5, "header"));
    for (const std::string_view section : sectionNames) {
        ET_ASSIGN(const auto offset, reader.read<std::uint64_t>(section));
        ET_ASSIGN(const auto size, reader.read<std::uint64_t>(section));
        ET_ASSIGN(made.sections.emplace_back(), payloadPart(payload, offset, size, section));
    }
    ET_TRY(reader.take(headerSize - reader.position(), "header"));
    cover(payload.first(headerSize));
    return {};
}

Result<> Reader::readModules() {
    const FlatSection section(made.sections[0]);
    FlatView view(section.aligned(), offsetOf(0));
    ET_ASSIGN(const auto* root, view.root<schema::Modules>(""));
    cover(made.sections[0], *schema::ModulesTypeTable());
    const FieldPath start;
    const FieldPath path = start.field("modules");
    return view.append(made.modules, root->modules(), path,
                       [&](const schema::Module* table, const FieldPath&, Module& module) -> Result<> {
                           module.isGraph = table->kind() == 1;
                           module.name = nameOf(table->name());
                           module.entryPoint = nameOf(table->entry_point());
                           Bytes code;
                           if (const auto* spirv = table->code_as_SpirvCode();
                               spirv != nullptr && spirv->words() != nullptr) {
                               module.language = Module::Language::Spirv;
                               code = {reinterpret_cast<const std::byte*>(spirv->words()->Data()),
                                       std::size_t{spirv->words()->size()} * sizeof(std::uint32_t)};
                           } else if (const auto* glsl = table->code_as_GlslCode();
                                      glsl != nullptr && glsl->text() != nullptr) {
                               module.language = Module::Language::Glsl;
                               code = std::as_bytes(std::span(glsl->text()->string_view()));
                           } else if (const auto* hlsl = table->code_as_HlslCode();
                                      hlsl != nullptr && hlsl->text() != nullptr) {
                               module.language = Module::Language::Hlsl;
                               code = std::as_bytes(std::span(hlsl->text()->string_view()));
                           }
                           module.code = section.inPayload(code);
                           return {};
                       });
}

Result<> Reader::readResources() {
    const FlatSection section(made.sections[2]);
    FlatView view(section.aligned(), offsetOf(2));
    ET_ASSIGN(const auto* root, view.root<schema::Resources>(""));
    cover(made.sections[2], *schema::ResourcesTypeTable());
    const FieldPath start;
    const FieldPath path = start.field("resources");
    return view.append(
        made.resources, root->resources(), path,
        [&](const schema::Resource* table, const FieldPath& at, Resource& resource) -> Result<> {
            if (table->category() > std::to_underlying(Resource::Category::Constant)) {
                return view.fail(ErrorCode::Format, at, table,
                                 fmt::format("expected a category up to 3, got {}", table->category()));
            }
            resource.category = static_cast<Resource::Category>(table->category());
            resource.descriptorType = table->descriptor_type();
            resource.format = table->format();
            resource.aliasGroup = table->alias_group();
            if (const auto* shape = table->shape()) {
                ET_TRY(view.copyInto(resource.sizes, shape->sizes(), at));
                ET_TRY(view.copyInto(resource.strides, shape->strides(), at));
            }
            return {};
        });
}

Result<> Reader::readConstants() {
    const Bytes section = made.sections[3];
    if (!core::textOf(section).starts_with(constantsMark)) {
        return section.empty() ? Result<>() : readConstantTable(section);
    }
    ByteReader reader(section, offsetOf(3));
    ET_TRY(reader.take(constantsMark.size() + 1, "constants.version"));
    ET_ASSIGN(const auto count, reader.read<std::uint64_t>("constants.count"));
    if (count > reader.remaining() / constantRecord) {
        return core::fail(
            ErrorCode::Format,
            fmt::format("expected at most {} constants, got {}", reader.remaining() / constantRecord, count),
            {.file = {}, .field = "constants.count", .offset = offsetOf(3) + 8});
    }
    const auto records = static_cast<std::size_t>(count) * constantRecord;
    cover(section.first(constantsHeader + records));
    const Bytes data = section.subspan(constantsHeader + records);
    for (std::uint64_t i = 0; i < count; ++i) {
        Constant constant;
        ET_ASSIGN(constant.resource, reader.read<std::uint32_t>("constants.resource"));
        ET_ASSIGN(constant.sparseDimension, reader.read<std::int32_t>("constants.sparse_dimension"));
        ET_ASSIGN(const auto size, reader.read<std::uint64_t>("constants.size"));
        ET_ASSIGN(const auto offset, reader.read<std::uint64_t>("constants.offset"));
        ET_ASSIGN(constant.data, payloadPart(data, offset, size, "constants.offset"));
        cover(constant.data);
        made.constants.push_back(constant);
    }
    return {};
}

Result<> Reader::readConstantTable(Bytes bytes) {
    const FlatSection section(bytes);
    FlatView view(section.aligned(), offsetOf(3));
    ET_ASSIGN(const auto* root, view.root<schema::Constants>(""));
    cover(bytes, *schema::ConstantsTypeTable());
    const FieldPath start;
    const FieldPath path = start.field("constants");
    return view.append(made.constants, root->constants(), path,
                       [&](const schema::Constant* table, const FieldPath&, Constant& constant) -> Result<> {
                           constant = {.resource = table->resource(),
                                       .sparseDimension = table->sparse_dimension(),
                                       .data = section.inPayload(FlatView::blob(table->data()))};
                           return {};
                       });
}

Result<std::vector<Binding>> Reader::bindings(FlatView& view, const BindingTables* tables,
                                              const FieldPath& path) {
    return view.map(tables, path, [&](const schema::Binding* table, const FieldPath& at) -> Result<Binding> {
        if (table->resource() >= made.resources.size()) {
            return view.fail(ErrorCode::Format, at, table,
                             fmt::format("expected one of the {} resources, got {}", made.resources.size(),
                                         table->resource()));
        }
        return Binding{.binding = table->binding(), .resource = table->resource()};
    });
}

Result<Segment> Reader::readSegment(FlatView& view, const schema::Segment& table, const FieldPath& path) {
    Segment segment{
        .isGraph = table.kind() == 1, .name = nameOf(table.name()), .module = table.module_index()};
    if (segment.module >= made.modules.size()) {
        return view.fail(
            ErrorCode::Format, path, &table,
            fmt::format("expected one of the {} modules, got {}", made.modules.size(), segment.module));
    }
    const FieldPath inputsPath = path.field("inputs");
    ET_ASSIGN(segment.inputs, bindings(view, table.inputs(), inputsPath));
    const FieldPath outputsPath = path.field("outputs");
    ET_ASSIGN(segment.outputs, bindings(view, table.outputs(), outputsPath));
    const FieldPath setsPath = path.field("sets");
    ET_ASSIGN(const auto sets,
              view.map(table.sets(), setsPath, [&](const schema::DescriptorSet* set, const FieldPath& at) {
                  return bindings(view, set->bindings(), at);
              }));
    for (const auto& set : sets) {
        segment.bindings.insert(segment.bindings.end(), set.begin(), set.end());
    }
    const FieldPath dispatchPath = path.field("dispatch");
    ET_ASSIGN(segment.dispatch, view.copy<std::int64_t>(table.dispatch(), dispatchPath));
    const FieldPath constantsPath = path.field("constants");
    ET_ASSIGN(segment.constants, view.copy<std::uint32_t>(table.constants(), constantsPath));
    for (const std::uint32_t constant : segment.constants) {
        if (constant >= made.constants.size()) {
            return view.fail(
                ErrorCode::Format, constantsPath, &table,
                fmt::format("expected one of the {} constants, got {}", made.constants.size(), constant));
        }
    }
    return segment;
}

Result<> Reader::readSequence() {
    for (const Constant& constant : made.constants) {
        if (constant.resource >= made.resources.size()) {
            return core::fail(ErrorCode::Format,
                              fmt::format("expected one of the {} resources, got {}", made.resources.size(),
                                          constant.resource),
                              {.file = {}, .field = "constants.resource", .offset = offsetOf(3)});
        }
    }
    const FlatSection section(made.sections[1]);
    FlatView view(section.aligned(), offsetOf(1));
    ET_ASSIGN(const auto* root, view.root<schema::Sequence>(""));
    cover(made.sections[1], *schema::SequenceTypeTable());
    const FieldPath start;
    const FieldPath segmentsPath = start.field("segments");
    ET_ASSIGN(made.segments, view.map(root->segments(), segmentsPath,
                                      [&](const schema::Segment* table, const FieldPath& at) {
                                          return readSegment(view, *table, at);
                                      }));
    const FieldPath inputsPath = start.field("inputs");
    ET_ASSIGN(made.inputs, bindings(view, root->inputs(), inputsPath));
    const FieldPath outputsPath = start.field("outputs");
    ET_ASSIGN(made.outputs, bindings(view, root->outputs(), outputsPath));
    const auto toName = [](const flatbuffers::String* text, const FieldPath&) -> Result<std::string> {
        return nameOf(text);
    };
    const FieldPath namesPath = start.field("input_names");
    ET_ASSIGN(made.inputNames, view.map(root->input_names(), namesPath, toName));
    const FieldPath outNamesPath = start.field("output_names");
    ET_ASSIGN(made.outputNames, view.map(root->output_names(), outNamesPath, toName));
    return {};
}

}  // namespace

Result<Container> readContainer(Bytes payload, ByteCoverage* coverage) {
    return Reader(payload, coverage).read();
}

}  // namespace et::backends::vgf
