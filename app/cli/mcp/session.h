#pragma once

#include "app/cli/dap/json_value.h"
#include "app/cli/mcp/answers.h"
#include "app/cli/mcp/roots.h"
#include "app/cli/mcp/tools.h"
#include "inspector/format/table.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace et::cli::mcp {

using SendMessage = std::function<void(std::string_view json)>;

/// A call of a tool that waits or runs.
struct ToolCall {
    std::shared_ptr<const dap::JsonText> message;  ///< owns `arguments`
    Cell id;
    const Tool* tool = nullptr;
    dap::JsonValue arguments;
    Cell progressToken;  ///< monostate: no progress
    Roots roots;
    bool isModern = false;
    std::atomic<bool> isCancelled = false;
};

/// The protocol of a connection: revisions with a handshake up to 2025-11-25, and 2026-07-28, whose requests
/// carry their version. Calls of tools are handed to the owner, which answers them with perform(), on any
/// thread. Source: https://modelcontextprotocol.io/specification/2026-07-28
class Session {
  public:
    static constexpr std::size_t maxCalls = 64;

    struct Options {
        Roots roots;
        std::string version;
    };
    /// `submit` receives calls that can be performed.
    Session(Options options, SendMessage send, std::function<void(std::shared_ptr<ToolCall>)> submit)
        : own(std::move(options)), sends(std::move(send)), submits(std::move(submit)) {}

    /// Handles a message.
    void handle(std::string_view line, const ResultStore& results);
    /// Reports a message that could not be read.
    void reportUnreadable(const core::Error& error);
    /// Runs a call and answers it, unless it was cancelled.
    void perform(ToolCall& call, Answers& answers);
    /// Ends all calls: the client is gone.
    void cancelAll();
    /// Stops waiting for the client's roots.
    void giveUpRoots();
    [[nodiscard]] bool awaitsRoots() const { return rootsRequest.has_value(); }
    /// Whether calls wait or run.
    [[nodiscard]] bool isBusy() const;

  private:
    struct Request {
        std::shared_ptr<const dap::JsonText> message;
        Cell id;
        std::string method;
        dap::JsonValue params;
        bool isModern = false;
    };
    void handleMessage(const std::shared_ptr<const dap::JsonText>& message, const dap::JsonValue& root,
                       const ResultStore& results);
    void handleNotification(std::string_view method, const dap::JsonValue& params);
    void handleReply(const dap::JsonValue& reply);
    void handleRequest(const Request& request, const ResultStore& results);
    /// Checks the fields that requests of revision 2026-07-28 have. Sends the error.
    [[nodiscard]] bool isAccepted(const Request& request);
    void initialize(const Request& request);
    void callTool(const Request& request);
    void getPrompt(const Request& request);
    void listResources(const Request& request, const ResultStore& results);
    void readResource(const Request& request, const ResultStore& results);
    void requestRoots();
    void submitWaiting();

    void respond(const Cell& id, Dict result, bool isModern);
    void refuse(const Cell& id, int code, std::string message, Dict data = {});
    void notify(std::string_view method, Dict params);
    [[nodiscard]] Dict serverInfo() const;

    Options own;
    SendMessage sends;
    std::function<void(std::shared_ptr<ToolCall>)> submits;
    mutable std::mutex access;  ///< of `calls`
    std::map<std::string, std::shared_ptr<ToolCall>> calls;
    std::deque<std::shared_ptr<ToolCall>> waiting;  ///< for the client's roots
    std::optional<std::string> rootsRequest;        ///< id of the request for them
    std::uint64_t requested = 0;
    bool clientHasRoots = false;
};

}  // namespace et::cli::mcp
