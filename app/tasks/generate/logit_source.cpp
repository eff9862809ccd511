#include "app/tasks/generate/logit_source.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "etrecord/buffer_mutation.h"
#include "inspector/session/artifact.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/element_conversion.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::tasks {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;

Result<ReferenceValue> integerTensor(std::int64_t number, std::span<const std::int64_t> sizes) {
    auto owner = std::make_shared<std::int64_t>(number);
    ET_ASSIGN(const core::Tensor view,
              core::Tensor::make(core::ScalarType::Long, sizes, reinterpret_cast<std::byte*>(owner.get())));
    return ReferenceValue{.content = ReferenceTensor{.view = view, .owner = owner}};
}

/// Copies the logits of the last row.
Result<> copyLogits(const ReferenceValue& value, std::vector<float>& to) {
    const auto* tensor = value.as<ReferenceTensor>();
    if (tensor == nullptr || tensor->view.dim() == 0 || tensor->view.numel() <= 0 ||
        !tensor->view.isContiguous()) {
        return fail(ErrorCode::Unsupported, "expected logits as the first output of the graph");
    }
    const core::Tensor& view = tensor->view;
    ET_ASSIGN(const auto conversion, kernels::Conversion::between(view.dtype(), core::ScalarType::Float));
    const auto count = static_cast<std::size_t>(view.size(view.dim() - 1));
    to.resize(count);
    const std::size_t skipped = (static_cast<std::size_t>(view.numel()) - count) * view.elementSize();
    conversion.run(view.raw() + skipped, static_cast<std::int64_t>(view.elementSize()),
                   std::as_writable_bytes(std::span(to)).data(), sizeof(float),
                   static_cast<std::int64_t>(count));
    return {};
}

}  // namespace

Result<std::span<const float>> ProgramLogits::step(std::uint32_t token) {
    auto logits = loaded->run->decode(token);
    if (!logits) {
        return std::unexpected(loaded->programError(std::move(logits).error()));
    }
    return logits->last();
}

Result<std::unique_ptr<RecordLogits>> RecordLogits::open(const std::filesystem::path& path,
                                                         std::size_t threads) {
    auto opened = std::unique_ptr<RecordLogits>(new RecordLogits(threads));
    opened->path = path.string();
    ET_ASSIGN(opened->record, openRecord(path));
    opened->method = "decode";
    if (auto restarted = opened->restart(); !restarted && restarted.error().code == ErrorCode::NotFound) {
        opened->method = "forward";
        ET_TRY(opened->restart());
    } else if (!restarted) {
        return std::unexpected(std::move(restarted).error());
    }
    return opened;
}

Result<> RecordLogits::restart() {
    ET_ASSIGN(interpreter, Interpreter::edge(*record, method,
                                             {.kernels = kernels::builtin(),
                                              .threads = threads,
                                              .cancel = &InterruptionGuard::requested()}));
    position = 0;
    return {};
}

Result<std::span<const float>> RecordLogits::step(std::uint32_t token) {
    ET_ASSIGN(ReferenceValue tokens, integerTensor(token, std::array<std::int64_t, 2>{1, 1}));
    ET_ASSIGN(ReferenceValue place,
              integerTensor(static_cast<std::int64_t>(position), std::array<std::int64_t, 1>{1}));
    const std::array inputs{std::move(tokens), std::move(place)};
    const backends::reference::NodeObserver observer = [this](const auto& graph, auto node, auto made) {
        return keep(graph, node, made);
    };
    auto outputs = interpreter->run(inputs, keepsBuffers ? observer : backends::reference::NodeObserver());
    if (!outputs) {
        return std::unexpected(std::move(outputs).error().in(path));
    }
    if (outputs->empty()) {
        return fail(ErrorCode::Unsupported, "expected logits as the first output of the graph");
    }
    ET_TRY(copyLogits(outputs->front(), logits));
    ++position;
    return std::span<const float>(logits);
}

Result<> RecordLogits::keep(const etrecord::ExportedGraph& graph, etrecord::NodeIndex node,
                            std::span<const ReferenceValue> outputs) {
    if (&graph != &interpreter->graph()) {
        return {};
    }
    const std::vector<etrecord::Argument>& names = graph.nodes[node].outputs;
    for (std::size_t i = 0; i < std::min(names.size(), outputs.size()); ++i) {
        const auto* name = std::get_if<etrecord::ValueRef>(&names[i].value);
        const auto* tensor = outputs[i].as<ReferenceTensor>();
        const auto spec = std::ranges::find_if(graph.outputSpecs, [&](const etrecord::OutputSpec& each) {
            return name != nullptr && each.value == name->name &&
                   etrecord::mutatedBuffer(graph, each) != nullptr;
        });
        if (spec == graph.outputSpecs.end() || tensor == nullptr || !tensor->view.isContiguous()) {
            continue;
        }
        auto known = std::ranges::find(changed, spec->target, &Buffer::name);
        if (known == changed.end()) {
            known = changed.insert(known, Buffer{.name = spec->target, .sizes = {}, .values = {}});
        }
        const core::Tensor& view = tensor->view;
        known->sizes.assign(view.sizes().begin(), view.sizes().end());
        known->values.resize(static_cast<std::size_t>(view.numel()));
        ET_ASSIGN(const auto conversion, kernels::Conversion::between(view.dtype(), core::ScalarType::Float));
        conversion.run(view.raw(), static_cast<std::int64_t>(view.elementSize()),
                       std::as_writable_bytes(std::span(known->values)).data(), sizeof(float), view.numel());
    }
    return {};
}

bool RecordLogits::isQuantized() const {
    return std::ranges::any_of(interpreter->graph().nodes, [](const etrecord::Node& node) {
        return node.target.find("quantize") != std::string::npos ||
               node.target.find("4bit") != std::string::npos;
    });
}

Result<std::unique_ptr<LogitSource>> openLogits(const std::filesystem::path& path,
                                                const ModelOptions& options) {
    ET_ASSIGN(const auto file, inspector::RecognizedFile::open(path));
    if (file.kind == core::FileKind::Record) {
        ET_ASSIGN(auto record, RecordLogits::open(path, options.threads));
        return std::unique_ptr<LogitSource>(std::move(record));
    }
    ET_ASSIGN(auto language, LanguageModel::open(path, options, nullptr));
    return std::unique_ptr<LogitSource>(std::make_unique<ProgramLogits>(path.string(), std::move(language)));
}

}  // namespace et::tasks
