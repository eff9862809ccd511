#include "runtime/program/program.h"

#include "runtime/core/file_kind.h"
#include "runtime/core/flat_view.h"
#include "runtime/program/detail/read_method.h"
#include "runtime/program/detail/segment_table.h"
#include "runtime/program/detail/tensor_source.h"
#include "runtime/program/schema/program_generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace et::program {

using core::Bytes;
using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::MappedFile;
using core::Result;

namespace {

using Owner = std::shared_ptr<const MappedFile>;

/// Returns the offset of `part` in the file; empty if it is not inside the file.
std::optional<std::uint64_t> offsetIn(Bytes file, Bytes part) {
    const std::less_equal<const std::byte*> notAfter;
    const bool inside =
        notAfter(file.data(), part.data()) && notAfter(part.data() + part.size(), file.data() + file.size());
    return inside ? std::optional(static_cast<std::uint64_t>(part.data() - file.data())) : std::nullopt;
}

/// Returns the flatbuffer at the start of a program: the whole program if there is no header.
Bytes flatbufferOf(const Program& program) {
    return program.header ? program.bytes.first(static_cast<std::size_t>(program.header->programSize))
                          : program.bytes;
}

Result<> readNamedData(FlatView& view, const schema::Program& root, Program& program) {
    const FieldPath none;
    const FieldPath path = none.field("named_data");
    ET_ASSIGN(program.namedData,
              view.map(root.named_data(), path,
                       [&](const schema::NamedData* row, const FieldPath& at) -> Result<NamedData> {
                           const FieldPath keyPath = at.field("key");
                           ET_ASSIGN(const auto key, view.required(row->key(), keyPath, row));
                           const FieldPath indexPath = at.field("segment_index");
                           ET_ASSIGN(const SegmentId segment,
                                     detail::useSegment(program.segments, row->segment_index(),
                                                        SegmentUse::NamedData, view, indexPath, row));
                           return NamedData{
                               .key = key, .segment = segment, .data = program.segments[segment.value].data};
                       }));
    return {};
}

Result<> readInto(Program& program) {
    ET_ASSIGN(program.header, readProgramHeader(program.bytes, program.offset));
    FlatView view(flatbufferOf(program), program.offset);
    ET_ASSIGN(const schema::Program* root, view.root<schema::Program>(schema::ProgramIdentifier()));
    program.version = root->version();
    const detail::SegmentSpace space{.artifact = program.bytes,
                                     .start = program.offset,
                                     .hasBase = program.header.has_value(),
                                     .base = program.header ? program.header->segmentBase : 0};
    ET_ASSIGN(program.segments, detail::readSegments(view, space, root->segments()));
    ET_ASSIGN(const auto tensors, detail::TensorSource::read(view, *root, program.segments));
    program.inlineConstants = tensors.inlineConstants();
    ET_ASSIGN(program.methods, detail::readMethods(view, *root, tensors, program.segments));
    return readNamedData(view, *root, program);
}

}  // namespace

Result<std::shared_ptr<const Program>> Program::open(const std::filesystem::path& path) {
    return core::openOfKind(path, core::FileKind::Program).and_then([](Owner file) {
        return parse(std::move(file));
    });
}

Result<std::shared_ptr<const Program>> Program::parse(Owner file) {
    const Bytes all = file->bytes();
    return parse(std::move(file), all);
}

Result<std::shared_ptr<const Program>> Program::parse(Owner file, Bytes part) {
    const auto offset = offsetIn(file->bytes(), part);
    if (!offset) {
        return core::fail(ErrorCode::InvalidArgument, "expected memory within the file",
                          {.file = file->name(), .field = {}, .offset = {}});
    }
    auto program = std::make_shared<Program>();
    program->file = std::move(file);
    program->bytes = part;
    program->offset = *offset;
    if (auto read = readInto(*program); !read) {
        return std::unexpected(std::move(read).error().in(program->file->name()));
    }
    return program;
}

const Method* Program::findMethod(std::string_view name) const {
    const auto found = std::ranges::find(methods, name, &Method::name);
    return found == methods.end() ? nullptr : &*found;
}

const NamedData* Program::findNamedData(std::string_view key) const {
    const auto found = std::ranges::find(namedData, key, &NamedData::key);
    return found == namedData.end() ? nullptr : &*found;
}

}  // namespace et::program
