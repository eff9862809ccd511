#pragma once

#include "app/tasks/generate/language_model.h"
#include "app/tasks/model/model_options.h"
#include "backends/reference/interpreter.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace et::tasks {

/// Source of logits, token by token.
class LogitSource {
  public:
    LogitSource() = default;
    LogitSource(const LogitSource&) = delete;
    LogitSource& operator=(const LogitSource&) = delete;
    virtual ~LogitSource() = default;

    /// Returns the logits after this token; valid until the next call. Errors: those of the program or the
    /// record.
    [[nodiscard]] virtual core::Result<std::span<const float>> step(std::uint32_t token) = 0;
    /// Restarts at position 0 with empty state.
    [[nodiscard]] virtual core::Result<> restart() = 0;
    [[nodiscard]] virtual std::size_t context() const = 0;  ///< 0: unknown
    [[nodiscard]] virtual std::string name() const = 0;     ///< the file
};

/// Runs a program.
class ProgramLogits final : public LogitSource {
  public:
    ProgramLogits(std::string file, std::unique_ptr<LanguageModel> opened)
        : path(std::move(file)), loaded(std::move(opened)) {}
    [[nodiscard]] core::Result<std::span<const float>> step(std::uint32_t token) override;
    [[nodiscard]] core::Result<> restart() override { return loaded->reset(); }
    [[nodiscard]] std::size_t context() const override { return loaded->form.context; }
    [[nodiscard]] std::string name() const override { return path; }
    [[nodiscard]] const LanguageModel& language() const { return *loaded; }

  private:
    std::string path;
    std::unique_ptr<LanguageModel> loaded;
};

/// Runs the Edge graph of an ETRecord, including its caches, in the reference interpreter.
class RecordLogits final : public LogitSource {
  public:
    /// Opens the graph of "decode", else of "forward". Errors: those of Record and Interpreter.
    [[nodiscard]] static core::Result<std::unique_ptr<RecordLogits>> open(const std::filesystem::path& path,
                                                                          std::size_t threads);
    [[nodiscard]] core::Result<std::span<const float>> step(std::uint32_t token) override;
    [[nodiscard]] core::Result<> restart() override;
    [[nodiscard]] std::size_t context() const override { return 0; }
    [[nodiscard]] std::string name() const override { return path; }
    [[nodiscard]] const etrecord::Record& source() const { return *record; }

    /// A mutable buffer of the graph after the last step: its name ("layers.0.attention.k_cache") and
    /// numbers, row-major. In the order of the graph's signature.
    struct Buffer {
        std::string name;
        std::vector<std::int64_t> sizes;
        std::vector<float> values;
    };
    [[nodiscard]] const std::vector<Buffer>& buffers() const { return changed; }
    void keepBuffers() { keepsBuffers = true; }
    /// True if the graph computes with quantized numbers.
    [[nodiscard]] bool isQuantized() const;

  private:
    explicit RecordLogits(std::size_t threadCount) : threads(threadCount) {}
    std::string path;
    std::string method;
    std::shared_ptr<const etrecord::Record> record;
    kernels::ThreadPool threads;
    std::unique_ptr<backends::reference::Interpreter> interpreter;
    std::size_t position = 0;
    std::vector<float> logits;
    [[nodiscard]] core::Result<> keep(const etrecord::ExportedGraph& graph, etrecord::NodeIndex node,
                                      std::span<const backends::reference::ReferenceValue> outputs);
    bool keepsBuffers = false;
    std::vector<Buffer> changed;
};

/// Opens a program, a bundled program or an ETRecord, detected by content.
[[nodiscard]] core::Result<std::unique_ptr<LogitSource>> openLogits(const std::filesystem::path& path,
                                                                    const ModelOptions& options);

}  // namespace et::tasks
