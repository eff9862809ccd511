#include "app/studio/files/files_room.h"

#include "visualizers/open_session.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"

#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <utility>

namespace et::studio {

using inspector::FileBelonging;
using inspector::report::Cell;

namespace {

/// The panel that shows the content of a kind of file.
struct FileRoom {
    std::string_view kind;  ///< FileBelonging::kind
    std::string_view room;
};
constexpr std::array fileRooms{FileRoom{"program", "graph"},        FileRoom{"bundled program", "tests"},
                               FileRoom{"tensor data", "size"},     FileRoom{"ETRecord", "source"},
                               FileRoom{"trace", "timeline"},       FileRoom{"debug buffer", "tensors"},
                               FileRoom{"further trace", "compare"}};

Cell fileSizeCell(const std::filesystem::path& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    return failed ? Cell() : Cell(std::uint64_t{size});
}

std::string fitOf(const FileBelonging& file) {
    if (file.contradictions.empty()) {
        return file.agreesWith.empty() ? std::string() : FilesRoom::tr("yes").toStdString();
    }
    std::string all;
    for (const std::string& each : file.contradictions) {
        all += (all.empty() ? "" : "; ") + each;
    }
    return all;
}

}  // namespace

FilesRoom::FilesRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      enterRoom(context.enter),
      looking(this),
      table(new visualizers::ReportTable(this)) {
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(table);
    table->setHint(tr("Nothing is open. Drop files on the window, or press Ctrl+O."));
    table->view().setObjectName(QStringLiteral("openFiles"));
    table->view().setAccessibleName(tr("Open files"));
    visualizers::keyedAction(*this, tr("&Show What Is in It"), Qt::Key_G, [this] {
        if (const auto row = table->currentRow()) {
            enterRoomOf(*row);
        }
    });
    setFocusProxy(table);
    connect(&table->view(), &QAbstractItemView::activated, this, [this] {
        if (const auto row = table->currentRow()) {
            enterRoomOf(*row);
        }
    });
    connect(&opened, &visualizers::OpenSession::changed, this, &FilesRoom::showSession);
    showSession();
}

bool FilesRoom::hasContent() const {
    return opened.session() != nullptr;
}

void FilesRoom::showSession() {
    looking.forget();
    if (const auto session = opened.session()) {
        looking.start([session] { return inspector::belonging(*session); },
                      [this](const std::vector<FileBelonging>& files) { showFiles(files); });
    } else {
        showFiles({});
    }
}

void FilesRoom::showFiles(const std::vector<FileBelonging>& files) {
    visualizers::ReportRows rows;
    rows.table.columns = {{.id = "file", .header = tr("File").toStdString()},
                          {.id = "size", .header = tr("Size").toStdString(), .numeric = true},
                          {.id = "kind", .header = tr("Kind").toStdString()},
                          {.id = "fits", .header = tr("Fits").toStdString()},
                          {.id = "folder", .header = tr("Folder").toStdString()}};
    rows.styles = {visualizers::NumberStyle::Plain, visualizers::NumberStyle::Bytes};
    roomIds.clear();
    for (const FileBelonging& file : files) {
        rows.table.rows.push_back({file.path.filename().string(), fileSizeCell(file.path),
                                   std::string(file.kind), fitOf(file), file.path.parent_path().string()});
        const auto* const found = std::ranges::find(fileRooms, file.kind, &FileRoom::kind);
        roomIds.push_back(found == fileRooms.end() ? std::string_view("overview") : found->room);
    }
    table->setRows(std::move(rows));
}

void FilesRoom::enterRoomOf(std::size_t row) {
    if (row < roomIds.size() && enterRoom) {
        enterRoom(roomIds[row]);
    }
}

}  // namespace et::studio
