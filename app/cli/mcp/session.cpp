#include "app/cli/mcp/session.h"

#include "app/cli/mcp/guides.h"
#include "app/cli/mcp/result_schema.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::cli::mcp {
namespace {

using dap::JsonText;
using dap::JsonValue;
using inspector::format::jsonLine;

constexpr int parseError = -32700;
constexpr int invalidRequest = -32600;
constexpr int methodNotFound = -32601;
constexpr int invalidParams = -32602;
constexpr int unsupportedVersion = -32022;

constexpr std::string_view modernVersion = "2026-07-28";
constexpr std::array<std::string_view, 4> handshakeVersions{"2025-11-25", "2025-06-18", "2025-03-26",
                                                            "2024-11-05"};

constexpr std::string_view versionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view serverKey = "io.modelcontextprotocol/serverInfo";

constexpr std::string_view referenceUri = "et-inspect://reference";
constexpr std::string_view resultsUri = "et-inspect://results/";

constexpr std::string_view instructions =
    "Tools answer questions about ExecuTorch models from their files. Start with overview, then follow it: "
    "time, memory, "
    "size, correctness, delegation. Numbers have a unit in \"units\" or in their text, and \"command\" "
    "reproduces them. Lists "
    "are shortened: pass a handle of \"more\" to open. Do not report numbers that no answer contains.";

/// Names of `_meta` and of ids are compared as JSON.
std::string keyOf(const Cell& id) {
    std::string json;
    inspector::format::appendJson(json, id);
    return json;
}

/// Integers of more digits than 64 bits have become floating-point numbers, which are valid JSON for the
/// parser.
std::string widenIntegers(std::string_view json) {
    constexpr std::size_t mostDigits = 18;
    std::string wide;
    bool isInText = false;
    for (std::size_t at = 0; at < json.size();) {
        const std::size_t end = std::min(json.find_first_not_of("0123456789", at), json.size());
        const bool isInteger = end == json.size() || !std::string_view(".eE").contains(json[end]);
        if (!isInText && end > at) {
            wide += json.substr(at, end - at);
            wide += end - at > mostDigits && isInteger ? "e0" : "";
            at = end;
            continue;
        }
        if (json[at] == '\\' && isInText && at + 1 < json.size()) {
            wide += json[at++];
        } else if (json[at] == '"') {
            isInText = !isInText;
        }
        wide += json[at++];
    }
    return wide;
}

Dict capabilities() {
    return {{"tools", Dict()}, {"resources", Dict()}, {"prompts", Dict()}};
}

List versions() {
    List all{std::string(modernVersion)};
    for (const std::string_view each : handshakeVersions) {
        all.emplace_back(std::string(each));
    }
    return all;
}

Dict cached(Dict result, bool isModern, bool isPublic) {
    if (isModern) {
        constexpr std::int64_t hour = 3'600'000;
        result.emplace_back("ttlMs", isPublic ? hour : std::int64_t{0});
        result.emplace_back("cacheScope", isPublic ? "public" : "private");
    }
    return result;
}

List toolList() {
    List all;
    for (const Tool& tool : tools()) {
        all.emplace_back(Dict{
            {"name", std::string(tool.name)},
            {"title", std::string(tool.title)},
            {"description", std::string(tool.description)},
            {"inputSchema", schemaOf(tool.arguments)},
            {"outputSchema", outputSchemaOf(tool)},
            {"annotations",
             Dict{{"readOnlyHint", !tool.writes}, {"destructiveHint", false}, {"openWorldHint", false}}}});
    }
    return all;
}

List promptList() {
    List all;
    for (const Guide& guide : guides()) {
        all.emplace_back(Dict{
            {"name", guide.name},
            {"description", guide.description},
            {"arguments",
             List{Dict{{"name", "files"}, {"description", "Files of the model"}, {"required", false}}}}});
    }
    return all;
}

Dict textResult(std::string text) {
    return {{"content", List{Dict{{"type", "text"}, {"text", std::move(text)}}}}};
}

std::vector<std::string> rootUris(const JsonValue& result) {
    constexpr std::size_t most = 256;
    std::vector<std::string> uris;
    for (const JsonValue& each : result["roots"].items()) {
        if (uris.size() < most) {
            uris.push_back(each["uri"].text());
        }
    }
    return uris;
}

}  // namespace

Dict Session::serverInfo() const {
    return {{"name", "et-inspect"}, {"title", "et-inspect"}, {"version", own.version}};
}

void Session::respond(const Cell& id, Dict result, bool isModern) {
    if (isModern) {
        if (std::ranges::none_of(result, [](const auto& each) { return each.first == "resultType"; })) {
            result.emplace_back("resultType", "complete");
        }
        result.emplace_back("_meta", Dict{{std::string(serverKey), serverInfo()}});
    }
    sends(jsonLine(Dict{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}));
}

void Session::refuse(const Cell& id, int code, std::string message, Dict data) {
    Dict error{{"code", std::int64_t{code}}, {"message", std::move(message)}};
    if (!data.empty()) {
        error.emplace_back("data", std::move(data));
    }
    sends(jsonLine(Dict{{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}}));
}

void Session::notify(std::string_view method, Dict params) {
    sends(jsonLine(Dict{{"jsonrpc", "2.0"}, {"method", std::string(method)}, {"params", std::move(params)}}));
}

void Session::reportUnreadable(const core::Error& error) {
    refuse(Cell(), invalidRequest, error.message);
}

void Session::handle(std::string_view line, const ResultStore& results) {
    auto parsed = JsonText::parse(line);
    if (!parsed) {
        parsed = JsonText::parse(widenIntegers(line));
    }
    if (!parsed) {
        refuse(Cell(), parseError, parsed.error().message);
        return;
    }
    const auto message = std::make_shared<const JsonText>(*std::move(parsed));
    if (!message->root().isList()) {
        handleMessage(message, message->root(), results);
        return;
    }
    // Batches of revision 2025-03-26; each request is answered separately.
    const auto all = message->root().items();
    if (all.empty() || all.size() > maxCalls) {
        refuse(Cell(), invalidRequest,
               fmt::format("expected a batch of 1 to {} messages, got {}", maxCalls, all.size()));
        return;
    }
    for (const JsonValue& each : all) {
        handleMessage(message, each, results);
    }
}

void Session::handleMessage(const std::shared_ptr<const JsonText>& message, const JsonValue& root,
                            const ResultStore& results) {
    const JsonValue id = root["id"];
    constexpr std::size_t longestId = 200;
    const bool hasId = id.integer().has_value() || (id.isText() && id.text().size() <= longestId);
    const bool isRequestOrNotification = root["method"].isText();
    if (!root.isObject() || root["jsonrpc"].text() != "2.0" || (id && !hasId)) {
        refuse(hasId ? id.cell() : Cell(), invalidRequest, "expected a JSON-RPC 2.0 message");
    } else if (hasId && isRequestOrNotification) {
        const JsonValue params = root["params"];
        if (params && !params.isObject()) {
            refuse(id.cell(), invalidParams, "params: expected an object");
            return;
        }
        const Request request{.message = message,
                              .id = id.cell(),
                              .method = root["method"].text(),
                              .params = params,
                              .isModern = static_cast<bool>(params["_meta"][versionKey])};
        if (isAccepted(request)) {
            handleRequest(request, results);
        }
    } else if (isRequestOrNotification) {
        handleNotification(root["method"].text(), root["params"]);
    } else if (hasId && (root["result"] || root["error"])) {
        handleReply(root);
    } else {
        refuse(hasId ? id.cell() : Cell(), invalidRequest, "expected a method");
    }
}

bool Session::isAccepted(const Request& request) {
    if (!request.isModern) {
        if (request.method == "server/discover") {
            refuse(request.id, invalidParams, fmt::format("params._meta: expected \"{}\"", versionKey));
        }
        return request.method != "server/discover";
    }
    const JsonValue meta = request.params["_meta"];
    const std::string version = meta[versionKey].text();
    if (version != modernVersion) {
        refuse(request.id, unsupportedVersion, "Unsupported protocol version",
               {{"supported", versions()}, {"requested", version.substr(0, 100)}});
        return false;
    }
    if (!meta[capabilitiesKey].isObject()) {
        refuse(request.id, invalidParams, fmt::format("params._meta: expected \"{}\"", capabilitiesKey));
        return false;
    }
    return true;
}

void Session::handleRequest(const Request& request, const ResultStore& results) {
    const auto list = [&](std::string_view name, List all) {
        respond(request.id, cached({{std::string(name), std::move(all)}}, request.isModern, true),
                request.isModern);
    };
    const std::string& method = request.method;
    if (method == "initialize") {
        initialize(request);
    } else if (method == "server/discover") {
        respond(request.id,
                cached({{"supportedVersions", versions()},
                        {"capabilities", capabilities()},
                        {"instructions", std::string(instructions)}},
                       true, true),
                true);
    } else if (method == "ping") {
        respond(request.id, {}, request.isModern);
    } else if (method == "tools/list") {
        list("tools", toolList());
    } else if (method == "tools/call") {
        callTool(request);
    } else if (method == "prompts/list") {
        list("prompts", promptList());
    } else if (method == "prompts/get") {
        getPrompt(request);
    } else if (method == "resources/list") {
        listResources(request, results);
    } else if (method == "resources/templates/list") {
        list("resourceTemplates", {});
    } else if (method == "resources/read") {
        readResource(request, results);
    } else {
        refuse(request.id, methodNotFound, fmt::format("no method \"{:.100}\"", method));
    }
}

void Session::initialize(const Request& request) {
    const std::string wanted = request.params["protocolVersion"].text();
    const std::string_view agreed = std::ranges::contains(handshakeVersions, wanted)
                                        ? std::string_view(wanted)
                                        : handshakeVersions.front();
    clientHasRoots = request.params["capabilities"]["roots"].isObject();
    respond(request.id,
            {{"protocolVersion", std::string(agreed)},
             {"capabilities", capabilities()},
             {"serverInfo", serverInfo()},
             {"instructions", std::string(instructions)}},
            false);
}

void Session::handleNotification(std::string_view method, const JsonValue& params) {
    if ((method == "notifications/initialized" || method == "notifications/roots/list_changed") &&
        clientHasRoots) {
        requestRoots();
    } else if (method == "notifications/cancelled") {
        const std::scoped_lock lock(access);
        const auto found = calls.find(keyOf(params["requestId"].cell()));
        if (found != calls.end()) {
            found->second->isCancelled = true;
        }
    }
}

void Session::requestRoots() {
    rootsRequest = fmt::format("roots-{}", ++requested);
    sends(jsonLine(Dict{{"jsonrpc", "2.0"}, {"id", *rootsRequest}, {"method", "roots/list"}}));
}

void Session::handleReply(const JsonValue& reply) {
    if (rootsRequest && reply["id"].text() == *rootsRequest) {
        own.roots.setClientRoots(rootUris(reply["result"]));
        submitWaiting();
    }
}

void Session::giveUpRoots() {
    own.roots.setClientRoots({});
    submitWaiting();
}

void Session::submitWaiting() {
    rootsRequest.reset();
    for (const auto& call : std::exchange(waiting, {})) {
        call->roots = own.roots;
        submits(call);
    }
}

void Session::callTool(const Request& request) {
    const Tool* const tool = findTool(request.params["name"].text());
    if (tool == nullptr) {
        refuse(request.id, invalidParams, fmt::format("no tool \"{:.60}\"", request.params["name"].text()));
        return;
    }
    auto call = std::make_shared<ToolCall>();
    call->message = request.message;
    call->id = request.id;
    call->tool = tool;
    call->arguments = request.params["arguments"];
    const JsonValue token = request.params["_meta"]["progressToken"];
    call->progressToken = token.isText() || token.integer() ? token.cell() : Cell();
    call->roots = own.roots;
    call->isModern = request.isModern;
    if (request.isModern && !own.roots.areGiven() &&
        request.params["_meta"][capabilitiesKey]["roots"].isObject()) {
        const JsonValue given = request.params["inputResponses"]["roots"];
        if (!given) {
            respond(request.id,
                    {{"resultType", "input_required"},
                     {"inputRequests", Dict{{"roots", Dict{{"method", "roots/list"}}}}}},
                    true);
            return;
        }
        call->roots.setClientRoots(rootUris(given));
    }
    {
        const std::scoped_lock lock(access);
        if (calls.size() >= maxCalls || calls.contains(keyOf(call->id))) {
            refuse(request.id, invalidRequest,
                   calls.size() >= maxCalls
                       ? fmt::format("{} calls are waiting; wait for their answers", maxCalls)
                       : "a call with this id is running");
            return;
        }
        calls.emplace(keyOf(call->id), call);
    }
    if (!request.isModern && rootsRequest) {
        waiting.push_back(std::move(call));
    } else {
        submits(std::move(call));
    }
}

void Session::perform(ToolCall& call, Answers& answers) {
    double reported = -1;
    const auto progress = [&](double done, const std::string& phase) {
        constexpr double least = 0.01;
        if (std::holds_alternative<std::monostate>(call.progressToken) || call.isCancelled ||
            done < reported + least) {
            return;
        }
        reported = done;
        notify(
            "notifications/progress",
            {{"progressToken", call.progressToken}, {"progress", done}, {"total", 1.0}, {"message", phase}});
    };
    const auto answer =
        call.isCancelled
            ? core::Result<Dict>(core::fail(core::ErrorCode::Cancelled, "cancelled"))
            : answers.answer(
                  *call.tool, call.arguments, call.roots,
                  {.time = {}, .cancelled = [&] { return call.isCancelled.load(); }, .progress = progress});
    {
        const std::scoped_lock lock(access);
        calls.erase(keyOf(call.id));
    }
    if (call.isCancelled) {
        return;
    }
    if (!answer) {
        Dict result = textResult(answer.error().toString());
        result.emplace_back("isError", true);
        respond(call.id, std::move(result), call.isModern);
        return;
    }
    std::string text = jsonLine(*answer);
    text.pop_back();
    Dict result = textResult(std::move(text));
    result.emplace_back("structuredContent", *answer);
    respond(call.id, std::move(result), call.isModern);
}

void Session::cancelAll() {
    const std::scoped_lock lock(access);
    for (const auto& [id, call] : calls) {
        call->isCancelled = true;
    }
}

bool Session::isBusy() const {
    const std::scoped_lock lock(access);
    return !calls.empty();
}

void Session::getPrompt(const Request& request) {
    const std::string name = request.params["name"].text();
    const auto found = std::ranges::find(guides(), name, &Guide::name);
    if (found == guides().end()) {
        refuse(request.id, invalidParams, fmt::format("no prompt \"{:.60}\"", name));
        return;
    }
    std::string text(found->text);
    if (const std::string files = request.params["arguments"]["files"].text(); !files.empty()) {
        text += fmt::format("\nFiles: {:.2000}\n", files);
    }
    respond(request.id,
            {{"description", found->description},
             {"messages",
              List{Dict{{"role", "user"}, {"content", Dict{{"type", "text"}, {"text", std::move(text)}}}}}}},
            request.isModern);
}

void Session::listResources(const Request& request, const ResultStore& results) {
    List all{Dict{{"uri", std::string(referenceUri)},
                  {"name", "reference"},
                  {"title", "Tools and results"},
                  {"mimeType", "text/markdown"}}};
    for (const auto& each : results.all()) {
        all.emplace_back(Dict{{"uri", fmt::format("{}{}", resultsUri, each->id)},
                              {"name", each->id},
                              {"title", each->command},
                              {"mimeType", "application/json"},
                              {"size", static_cast<std::int64_t>(each->document.size())}});
    }
    respond(request.id, cached({{"resources", std::move(all)}}, request.isModern, false), request.isModern);
}

void Session::readResource(const Request& request, const ResultStore& results) {
    const std::string uri = request.params["uri"].text();
    std::string text;
    std::string_view type = "text/markdown";
    if (uri == referenceUri) {
        text = toolsPage();
    } else if (const auto found = uri.starts_with(resultsUri)
                                      ? results.find(std::string_view(uri).substr(resultsUri.size()))
                                      : nullptr) {
        text = found->document;
        type = "application/json";
    } else {
        refuse(request.id, request.isModern ? invalidParams : -32002,
               fmt::format("no resource \"{:.100}\"", uri));
        return;
    }
    respond(request.id,
            cached({{"contents",
                     List{Dict{{"uri", uri}, {"mimeType", std::string(type)}, {"text", std::move(text)}}}}},
                   request.isModern, false),
            request.isModern);
}

}  // namespace et::cli::mcp
