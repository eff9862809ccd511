#include "app/tasks/compare/model_process_protocol.h"
#include "app/tasks/model/model.h"
#include "bundled_program/writer.h"
#include "etdump/recorder.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/process_memory.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace et::tasks::model_process {
namespace {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::Bytes;
using core::Result;

/// Returns false if the parent has closed the pipe.
bool reply(int descriptor, const Result<std::vector<std::byte>>& answer) {
    const std::vector<std::byte> body = answer ? *answer : encode(answer.error());
    const std::uint64_t size = body.size();
    const std::array kind{answer ? std::byte{0} : std::byte{1}};
    return core::writeAll(descriptor, kind) == 0 &&
           core::writeAll(descriptor, std::as_bytes(std::span(&size, 1))) == 0 &&
           core::writeAll(descriptor, body) == 0;
}

/// Copies of a method's outputs.
class OutputCopies {
  public:
    void add(core::Value& value) {
        if (const auto* tensor = value.as<core::Tensor>()) {
            addTensor(tensor);
        } else if (const auto tensors = value.tensors(true)) {
            for (const core::Tensor* each : *tensors) {
                addTensor(each);
            }
        } else if (const auto* whole = value.as<std::int64_t>()) {
            values.emplace_back(*whole);
        } else if (const auto* number = value.as<double>()) {
            values.emplace_back(*number);
        } else if (const auto* truth = value.as<bool>()) {
            values.emplace_back(*truth);
        } else {
            values.emplace_back();
        }
    }

    /// Returns them as a bundle with a placeholder program.
    [[nodiscard]] Result<std::vector<std::byte>> bundle(std::string_view method) && {
        const std::array program{std::byte{0}};
        bundled_program::TestSuite suite{.method = method, .cases = {}};
        suite.cases.push_back({.inputs = {}, .expectedOutputs = std::move(values)});
        return bundled_program::writeBundle(program, std::span(&suite, 1));
    }

  private:
    void addTensor(const core::Tensor* tensor) {
        if (tensor == nullptr) {
            values.emplace_back();
            return;
        }
        const auto bytes = tensor->rawBytes();
        const auto& copy = memory.emplace_back(bytes.begin(), bytes.end());
        values.emplace_back(BundledTensor{.scalarType = static_cast<std::int8_t>(tensor->dtype()),
                                          .sizes = {tensor->sizes().begin(), tensor->sizes().end()},
                                          .dimOrder = {tensor->dimOrder().begin(), tensor->dimOrder().end()},
                                          .data = copy});
    }

    std::deque<std::vector<std::byte>> memory;
    std::vector<BundledValue> values;
};

/// The model and its state.
class Server {
  public:
    explicit Server(const ModelProcessJob& what) : job(what) {}

    Result<std::vector<std::byte>> answer(char command) {
        switch (command) {
            case load:
                return loadModel();
            case execute:
                return run(nullptr);
            case record:
                return run(recorder.get());
            default:
                return results();
        }
    }

  private:
    Result<std::vector<std::byte>> loadModel() {
        // The process replies through a pipe and writes no files.
        if (!job.options.on.isRemote()) {
            ET_TRY(confine(job.options.sandbox, {}));
        }
        ET_ASSIGN(recorder, etdump::Recorder::create({}));
        core::resetPeakResident();
        ET_ASSIGN(model, Model::open(job.model, job.options, recorder.get()));
        ET_TRY(chooseInputs());
        return encode(model->loadNanoseconds);
    }

    /// Uses the inputs of the job if there are any and they match the model.
    Result<> chooseInputs() {
        const auto quiet = [](std::string_view) {};
        const bool own = job.inputs.empty() || !job.options.inputs.empty();
        if (!own && takeFrom(job.inputs)) {
            result.inputs = "case";
            return {};
        }
        result.jobInputs = own;
        ET_ASSIGN(inputs, model->inputs(job.options, quiet));
        const bool files = !job.options.inputs.empty() && job.options.inputs.front() != "random" &&
                           !job.options.inputs.front().starts_with("random:");
        result.inputs = files ? "files" : !inputs.bundle.empty() ? "case" : "random";
        return {};
    }

    bool takeFrom(const std::filesystem::path& path) {
        auto opened = bundled_program::Bundle::open(path);
        if (!opened) {
            return false;
        }
        auto made =
            bundledInputs(**opened, model->method->description().name, job.options.testCase.value_or(0));
        if (!made || !made->give(*model->method)) {
            return false;
        }
        lender = *std::move(opened);
        inputs = *std::move(made);
        return true;
    }

    Result<std::vector<std::byte>> run(etdump::Recorder* tracer) {
        if (tracer != nullptr && !countersBefore) {
            countersBefore = schedulerCounters();
        }
        model->method->setTracer(tracer);
        ET_ASSIGN(const std::uint64_t time, model->execute(inputs));
        if (!outputs) {
            OutputCopies copies;
            for (std::size_t i = 0; i < model->method->outputCount(); ++i) {
                copies.add(model->method->output(i));
            }
            ET_ASSIGN(outputs, std::move(copies).bundle(model->method->description().name));
        }
        return encode(time);
    }

    Result<std::vector<std::byte>> results() {
        result.method = model->method->description().name;
        result.threads = model->threads.threads();
        result.loadNanoseconds = model->loadNanoseconds;
        result.peakBytes = core::peakResidentBytes();
        result.counters = countersBefore ? schedulerCounters() - *countersBefore : SchedulerCounters();
        ET_ASSIGN(result.trace, recorder->trace());
        model.reset();  // notifies a remote device, because this process is killed by a signal
        return encode(result, outputs ? Bytes(*outputs) : Bytes());
    }

    const ModelProcessJob& job;
    std::unique_ptr<etdump::Recorder> recorder;  ///< declared before the model, which uses it until its end
    std::unique_ptr<Model> model;
    std::shared_ptr<const bundled_program::Bundle> lender;
    InputSet inputs;
    std::optional<std::vector<std::byte>> outputs;
    std::optional<SchedulerCounters> countersBefore;
    ModelProcessResult result;
};

/// Terminal signals are sent to all processes, but only the parent decides when this one ends. Output printed
/// by operators of plugins is discarded, to keep it out of reports.
void enterProcess() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    if (const core::Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC)); nowhere) {
        ::dup2(nowhere.get(), STDIN_FILENO);
        ::dup2(nowhere.get(), STDOUT_FILENO);
    }
}

}  // namespace

void serve(const ModelProcessJob& job, int commands, int replies) {
    enterProcess();
    Server server(job);
    for (;;) {
        char command = 0;
        const ssize_t got = ::read(commands, &command, 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            ::_exit(0);
        }
        if (!reply(replies, server.answer(command))) {
            ::_exit(0);
        }
    }
}

}  // namespace et::tasks::model_process
