# Writes two files in TMPDIR about the files below WHITTLE_DIR: whittle-lines-PID has the lines that ran, and other
# statements; whittle-frames-PID has edits for the exception that ended the program. The module Coverage does not know
# the main program.
directories = %w[WHITTLE_DIR WHITTLE_HOME].map { |name| File.join(File.realpath(ENV[name]), "") } # of the same files
temporary, started = ENV["TMPDIR"], Dir.pwd
ran = Hash.new { |all, path| all[path] = {} }
trace = TracePoint.new(:line) { |at| ran[at.path][at.lineno] = true }

starts = lambda do |code|
  lines = code.trace_points.filter_map { |line, event| line if event == :line }
  code.each_child { |child| lines.concat(starts.(child)) }
  lines
end

at_exit do
  ended = $!
  ended&.full_message rescue nil # Ruby shows the exception afterwards
  trace.disable
  File.open(File.join(temporary, "whittle-lines-#{$$}"), "w") do |out|
    ran.each do |path, lines|
      path = File.realpath(path, started)
      from = directories.find { |directory| path.start_with?(directory) } or next
      all = lines.keys | starts.(RubyVM::InstructionSequence.compile_file(path))
      all.each { |line| out.puts "#{line} #{lines[line] ? 1 : 0} #{path[from.size..]}" }
    rescue StandardError, SyntaxError # code of eval or ERB, or an older Ruby
    end
  end
  next unless ended
  require "json"
  require_relative "whittle_frames"
  path_of = lambda do |path, whole = false|
    next File.join(directories[0], path) if whole
    path = File.realpath(path, started)
    from = directories.find { |directory| path.start_with?(directory) }
    from && path[from.size..]
  end
  edits = WhittleFrames.alternatives(ended, path_of)
  File.write(File.join(temporary, "whittle-frames-#{$$}"), JSON.generate(edits))
rescue StandardError # an object of the program cannot be shown
end
trace.enable
