#include "bundled_program/writer.h"

#include "bundled_program/schema/bundled_program_generated.h"
#include "runtime/core/scalar_type.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <array>
#include <limits>
#include <memory>
#include <utility>

namespace et::bundled_program {

using core::Bytes;
using core::ErrorCode;
using core::Result;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

namespace {

/// Limit of a flatbuffer's 31-bit offsets, with a reserve for the tables.
constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30;
/// The program runs in place, so its own alignment must hold within the file.
constexpr std::size_t programAlignment = 32;
constexpr std::size_t tensorAlignment = 16;
constexpr std::uint32_t formatVersion = 2;

Result<> checkTensor(const BundledTensor& tensor) {
    for (const std::int64_t size : tensor.sizes) {
        if (size < 0 || size > std::numeric_limits<std::int32_t>::max()) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("expected sizes that fit 32 bits, got {}", size));
        }
    }
    const auto wanted = core::tensorBytes(tensor.scalarType, tensor.sizes);
    if (wanted && static_cast<std::uint64_t>(*wanted) != tensor.data.size()) {
        return core::fail(ErrorCode::InvalidArgument, fmt::format("expected {} bytes of tensor data, got {}",
                                                                  *wanted, tensor.data.size()));
    }
    return {};
}

/// Writes one bundle. Vectors of tables are written before the table that contains them.
class Writer {
  public:
    Result<core::FileContent> write(const core::FileContent& program, std::span<const TestSuite> suites) {
        ET_TRY(check(program.size(), suites));
        // The first vector is the last of the file. The program takes the place of its elements.
        constexpr std::array<std::byte, programAlignment> placeholder{};
        const auto programBytes = blob(placeholder, programAlignment);
        std::vector<Offset<schema::BundledMethodTestSuite>> rows;
        for (const TestSuite& suite : suites) {
            rows.push_back(writeSuite(suite));
        }
        const auto suitesVector = builder.CreateVector(rows);
        builder.Finish(schema::CreateBundledProgram(builder, formatVersion, suitesVector, programBytes),
                       schema::BundledProgramIdentifier());
        return withProgram(builder.Release(), program);
    }

    Offset<void> operator()(std::monostate) { return {}; }
    Offset<void> operator()(std::int64_t number) { return schema::CreateInt(builder, number).Union(); }
    Offset<void> operator()(bool truth) { return schema::CreateBool(builder, truth).Union(); }
    Offset<void> operator()(double number) { return schema::CreateDouble(builder, number).Union(); }
    Offset<void> operator()(const BundledTensor& tensor) {
        const std::vector<std::int32_t> sizes(tensor.sizes.begin(), tensor.sizes.end());
        const auto sizesVector = builder.CreateVector(sizes);
        const auto data = blob(tensor.data, tensorAlignment);
        const auto order = builder.CreateVector(tensor.dimOrder);
        return schema::CreateTensor(builder, tensor.scalarType, sizesVector, data, order).Union();
    }

  private:
    static core::FileContent withProgram(flatbuffers::DetachedBuffer tables,
                                         const core::FileContent& program) {
        const std::size_t start = tables.size() - programAlignment;
        flatbuffers::WriteScalar(tables.data() + start - sizeof(std::uint32_t),
                                 static_cast<std::uint32_t>(program.size()));
        const auto owner = std::make_shared<const flatbuffers::DetachedBuffer>(std::move(tables));
        core::FileContent file;
        file.appendBorrowed(std::as_bytes(std::span(owner->data(), start)));
        file.keepAlive(owner);
        file.append(program);
        file.appendZeros((programAlignment - (program.size() % programAlignment)) % programAlignment);
        return file;
    }

    static Result<> check(std::uint64_t bytes, std::span<const TestSuite> suites) {
        if (bytes == 0) {
            return core::fail(ErrorCode::InvalidArgument, "expected a program to bundle, got no bytes");
        }
        for (const TestSuite& suite : suites) {
            for (const TestCase& test : suite.cases) {
                ET_TRY(addValues(test.inputs, bytes));
                ET_TRY(addValues(test.expectedOutputs, bytes));
            }
        }
        if (bytes > maxBytes) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} bytes of program and tensors, "
                                          "got {}",
                                          maxBytes, bytes));
        }
        return {};
    }

    static Result<> addValues(const std::vector<BundledValue>& values, std::uint64_t& bytes) {
        for (const BundledValue& value : values) {
            if (const auto* tensor = std::get_if<BundledTensor>(&value)) {
                ET_TRY(checkTensor(*tensor));
                bytes += tensor->data.size();
            }
        }
        return {};
    }

    Offset<schema::BundledMethodTestSuite> writeSuite(const TestSuite& suite) {
        const auto name = builder.CreateString(suite.method);
        std::vector<Offset<schema::BundledMethodTestCase>> cases;
        for (const TestCase& test : suite.cases) {
            const auto inputs = writeValues(test.inputs);
            cases.push_back(
                schema::CreateBundledMethodTestCase(builder, inputs, writeValues(test.expectedOutputs)));
        }
        return schema::CreateBundledMethodTestSuite(builder, name, builder.CreateVector(cases));
    }

    Offset<flatbuffers::Vector<Offset<schema::Value>>> writeValues(const std::vector<BundledValue>& values) {
        std::vector<Offset<schema::Value>> rows;
        for (const BundledValue& value : values) {
            const Offset<void> content = std::visit(*this, value);
            rows.push_back(
                schema::CreateValue(builder, static_cast<schema::ValueUnion>(value.index()), content));
        }
        return builder.CreateVector(rows);
    }

    Offset<flatbuffers::Vector<std::uint8_t>> blob(Bytes bytes, std::size_t alignment) {
        builder.ForceVectorAlignment(bytes.size(), 1, alignment);
        return builder.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }

    FlatBufferBuilder builder;
};

}  // namespace

Result<core::FileContent> bundleFile(const core::FileContent& program, std::span<const TestSuite> suites) {
    return Writer().write(program, suites);
}

Result<std::vector<std::byte>> writeBundle(Bytes program, std::span<const TestSuite> suites) {
    core::FileContent content;
    content.appendBorrowed(program);
    return bundleFile(content, suites).transform([](const core::FileContent& file) { return file.joined(); });
}

}  // namespace et::bundled_program
