#include "bundled_program/bundle.h"

#include "bundled_program/schema/bundled_program_generated.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/tensor_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::bundled_program {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::MappedFile;
using core::Result;

namespace {

using Owner = std::shared_ptr<const MappedFile>;

Result<BundledValue> readTensor(FlatView& view, const schema::Tensor& row, const FieldPath& path) {
    ET_ASSIGN(core::TensorShape shape,
              core::readTensorShape(view, row.scalar_type(), row.sizes(), row.dim_order(), path, &row));
    core::Bytes data = FlatView::blob(row.data());
    if (shape.byteSize) {
        const auto wanted = static_cast<std::uint64_t>(*shape.byteSize);
        if (wanted > data.size()) {
            const FieldPath dataPath = path.field("data");
            return view.fail(ErrorCode::Format, dataPath, &row,
                             fmt::format("expected {} bytes, got {}", wanted, data.size()));
        }
        data = data.first(static_cast<std::size_t>(wanted));
    }
    return BundledTensor{.scalarType = row.scalar_type(),
                         .sizes = std::move(shape.sizes),
                         .dimOrder = std::move(shape.dimOrder),
                         .data = data};
}

Result<BundledValue> readValue(FlatView& view, const schema::Value* row, const FieldPath& path) {
    const auto type = row->val_type();
    if (type == schema::ValueUnion::NONE) {
        return BundledValue();
    }
    const void* content = row->val();
    if (content == nullptr) {
        return view.fail(ErrorCode::Format, path, row, "expected a value, got only its kind");
    }
    switch (type) {
        case schema::ValueUnion::Tensor:
            return readTensor(view, FlatView::unionAs<schema::Tensor>(content), path);
        case schema::ValueUnion::Int:
            return BundledValue(std::int64_t{FlatView::unionAs<schema::Int>(content).int_val()});
        case schema::ValueUnion::Bool:
            return BundledValue(FlatView::unionAs<schema::Bool>(content).bool_val());
        case schema::ValueUnion::Double:
            return BundledValue(FlatView::unionAs<schema::Double>(content).double_val());
        case schema::ValueUnion::NONE:
            break;
    }
    return view.fail(ErrorCode::Unsupported, path, row,
                     fmt::format("expected a value type from 0 to {}, got {}",
                                 std::to_underlying(schema::ValueUnion::MAX), std::to_underlying(type)));
}

Result<std::vector<BundledValue>> readValues(
    FlatView& view, const flatbuffers::Vector<flatbuffers::Offset<schema::Value>>* rows,
    const FieldPath& path) {
    return view.map(rows, path,
                    [&](const schema::Value* row, const FieldPath& at) { return readValue(view, row, at); });
}

Result<TestCase> readCase(FlatView& view, const schema::BundledMethodTestCase* row, const FieldPath& path) {
    TestCase test;
    const FieldPath inputsPath = path.field("inputs");
    ET_ASSIGN(test.inputs, readValues(view, row->inputs(), inputsPath));
    const FieldPath outputsPath = path.field("expected_outputs");
    ET_ASSIGN(test.expectedOutputs, readValues(view, row->expected_outputs(), outputsPath));
    return test;
}

Result<TestSuite> readSuite(FlatView& view, const schema::BundledMethodTestSuite* row,
                            const FieldPath& path) {
    TestSuite suite;
    const FieldPath namePath = path.field("method_name");
    ET_ASSIGN(suite.method, view.required(row->method_name(), namePath, row));
    const FieldPath casesPath = path.field("test_cases");
    ET_ASSIGN(suite.cases, view.map(row->test_cases(), casesPath,
                                    [&](const schema::BundledMethodTestCase* test, const FieldPath& at) {
                                        return readCase(view, test, at);
                                    }));
    return suite;
}

Result<> readInto(Bundle& bundle) {
    FlatView view(bundle.file->bytes(), 0);
    ET_ASSIGN(const schema::BundledProgram* root,
              view.root<schema::BundledProgram>(schema::BundledProgramIdentifier()));
    bundle.version = root->version();
    bundle.program = FlatView::blob(root->program());
    const FieldPath none;
    if (bundle.program.empty()) {
        const FieldPath path = none.field("program");
        return view.fail(ErrorCode::Format, path, root, "expected a program, got no bytes");
    }
    const FieldPath path = none.field("method_test_suites");
    ET_ASSIGN(bundle.suites, view.map(root->method_test_suites(), path,
                                      [&](const schema::BundledMethodTestSuite* row, const FieldPath& at) {
                                          return readSuite(view, row, at);
                                      }));
    return {};
}

}  // namespace

std::string_view valueTypeName(const BundledValue& value) {
    static constexpr std::array<std::string_view, std::variant_size_v<BundledValue>> names{
        "None", "Tensor", "Int", "Bool", "Double"};
    return names[value.index()];
}

Result<std::shared_ptr<const Bundle>> Bundle::open(const std::filesystem::path& path) {
    return core::openOfKind(path, core::FileKind::BundledProgram).and_then([](Owner file) {
        return parse(std::move(file));
    });
}

Result<std::shared_ptr<const Bundle>> Bundle::parse(Owner file) {
    auto bundle = std::make_shared<Bundle>();
    bundle->file = std::move(file);
    if (auto read = readInto(*bundle); !read) {
        return std::unexpected(std::move(read).error().in(bundle->file->name()));
    }
    return bundle;
}

const TestSuite* Bundle::findSuite(std::string_view method) const {
    const auto found = std::ranges::find(suites, method, &TestSuite::method);
    return found == suites.end() ? nullptr : &*found;
}

}  // namespace et::bundled_program
