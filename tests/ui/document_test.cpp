#include "ui/workspace/document.h"

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "ui/rank_table/rank_table_document.h"

namespace slipstream::ui {
namespace {

TEST(Document, EveryEditIsOneUndoStep) {
  RankTableDocument document(nullptr);
  document.start("{}");
  document.edit("{ }", QStringLiteral("Blank"));
  document.edit("{  }", QStringLiteral("Blank"));
  EXPECT_TRUE(document.isModified());
  document.undoStack().undo();
  EXPECT_EQ(document.text(), "{ }");
  document.undoStack().undo();
  EXPECT_EQ(document.text(), "{}");
  EXPECT_FALSE(document.isModified());
  document.undoStack().redo();
  EXPECT_EQ(document.text(), "{ }");
}

TEST(Document, TypingIsOneStep) {
  RankTableDocument document(nullptr);
  document.start("");
  for (const char* text : {"a", "ab", "abc"}) document.edit(text, QStringLiteral("Type"), 1);
  document.undoStack().undo();
  EXPECT_EQ(document.text(), "");
}

TEST(Document, AnUnsavedTextSurvivesAsADraft) {
  const std::filesystem::path draft = userDataFolder() / "drafts" / "rank_table.json";
  {
    RankTableDocument document(nullptr);
    document.start("{}", "/somewhere/table.json");
    document.edit("{ }", QStringLiteral("Blank"));
    ASSERT_TRUE(makeFolder(draft.parent_path()));
    ASSERT_TRUE(writeFile(draft, "/somewhere/table.json\n{ }"));
  }
  RankTableDocument next(nullptr);
  ASSERT_TRUE(next.recoverDraft());
  EXPECT_EQ(next.text(), "{ }");
  EXPECT_EQ(next.file(), "/somewhere/table.json");
  EXPECT_TRUE(next.isModified());
  next.dropDraft();
  EXPECT_FALSE(next.recoverDraft());
}

}  // namespace
}  // namespace slipstream::ui
