#include "visualizers/notes/note_model.h"

#include "visualizers/notes/note_target.h"
#include "visualizers/toolkit/text.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace et::visualizers {

namespace {

constexpr std::array headers{"Written", "About", "Note"};

bool isBlank(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// In local time; text that is not a time is unchanged.
QString createdText(const std::string& created) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(created), Qt::ISODate);
    return time.isValid() ? QLocale::c().toString(time.toLocalTime(), QStringLiteral("yyyy-MM-dd hh:mm"))
                          : toQString(created);
}

}  // namespace

/// An undoable change of one row.
class NoteModel::Step : public QUndoCommand {
  public:
    Step(NoteModel& notes, int place, std::optional<Note> from, std::optional<Note> to, const QString& name)
        : QUndoCommand(name),
          model(notes),
          row(place),
          before(std::move(from)),
          after(std::move(to)),
          begins(std::exchange(notes.begins, false)) {}

    void redo() override { model.put(row, after, before.has_value()); }
    void undo() override {
        model.put(row, before, after.has_value());
        model.beginStep();
    }

    // Only typing is merged.
    [[nodiscard]] int id() const override { return before && after ? 1 : -1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* const other = static_cast<const Step*>(next);
        if (other->begins || other->row != row || other->after->text.ends_with('\n')) {
            return false;
        }
        after = other->after;
        return true;
    }

  private:
    NoteModel& model;
    int row;
    std::optional<Note> before;
    std::optional<Note> after;
    bool begins;
};

NoteModel::NoteModel(const OpenSession& session, QObject* parent)
    : QAbstractTableModel(parent), opened(session) {
    connect(&steps, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
    // Connected to settled(), because views resolve a note's operator in the session they show, which must be
    // the new one.
    connect(&opened, &OpenSession::settled, this, [this] {
        if (!all.empty()) {
            emit dataChanged(index(0, About), index(rowCount() - 1, About));
        }
    });
}

std::vector<NoteModel::Note> NoteModel::worthSaving() const {
    std::vector<Note> worth;
    std::ranges::copy_if(all, std::back_inserter(worth),
                         [](const Note& note) { return !isBlank(note.text); });
    return worth;
}

void NoteModel::setNotes(std::vector<Note> saved) {
    beginResetModel();
    all = std::move(saved);
    ++changes;
    endResetModel();
    steps.clear();
    emit changed();
}

int NoteModel::add(Note note) {
    note.created = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    const int row = rowCount();
    steps.push(new Step(*this, row, std::nullopt, std::move(note), QStringLiteral("Add Note")));
    return row;
}

void NoteModel::setText(int row, const QString& text) {
    const Note& before = all[static_cast<std::size_t>(row)];
    Note after = before;
    after.text = text.toStdString();
    if (after != before) {
        steps.push(new Step(*this, row, before, std::move(after), QStringLiteral("Change Note")));
    }
}

void NoteModel::remove(int row) {
    steps.push(new Step(*this, row, all[static_cast<std::size_t>(row)], std::nullopt,
                        QStringLiteral("Delete Note")));
}

void NoteModel::put(int row, const std::optional<Note>& note, bool existed) {
    const auto place = all.begin() + row;
    ++changes;
    if (note && existed) {
        *place = *note;
        emit dataChanged(index(row, 0), index(row, columnTotal - 1));
    } else if (note) {
        beginInsertRows({}, row, row);
        all.insert(place, *note);
        endInsertRows();
    } else {
        beginRemoveRows({}, row, row);
        all.erase(place);
        endRemoveRows();
    }
    emit changed();
}

int NoteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(all.size());
}

int NoteModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant NoteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    const Note& note = all[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case Written:
            return role == Qt::ToolTipRole ? toQString(note.created) : createdText(note.created);
        case About:
            return placeText(note, opened.session().get());
        default:
            break;
    }
    // The list shows the first line; no tool tip, because it would interpret some texts as HTML.
    return role == Qt::ToolTipRole ? QVariant() : toQString(note.text.substr(0, note.text.find('\n')));
}

QVariant NoteModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnTotal) {
        return {};
    }
    return QString::fromUtf8(headers[static_cast<std::size_t>(section)]);
}

}  // namespace et::visualizers
